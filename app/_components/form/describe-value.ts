const longest = 400;

export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : describeNested(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

function describeNested(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "none";
    return value.every(isPlain) ? value.join(", ") : JSON.stringify(value);
  }
  const members = Object.entries(value as object);
  if (members.length === 0) return "none";
  if (!members.every(([, one]) => isPlain(one) || Array.isArray(one))) return JSON.stringify(value);
  return members.map(([name, one]) => `${name}: ${isPlain(one) ? String(one) : describeNested(one)}`).join("; ");
}
