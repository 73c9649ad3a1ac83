/** Parameters that tell the place within a list: another list begins at its start. */
const places = ["after", "before", "cursor", "rows"];

/**
 * The address of a list with some parameters changed; null takes one out. A change of what is listed leads to the first
 * page.
 */
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
