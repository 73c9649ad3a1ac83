/** A changed list starts at the beginning. */
const places = ["after", "before", "cursor", "rows"];

/** Null removes a parameter. */
export function changeAddress(
  path: string,
  query: { toString(): string },
  changes: Readonly<Record<string, string | null>>,
): string {
  const next = new URLSearchParams(query.toString());
  if (!Object.keys(changes).some((name) => places.includes(name))) for (const name of places) next.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === "" ? path : `${path}?${text}`;
}
