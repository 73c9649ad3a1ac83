/** Parameters of the place within a list: a changed list starts at the beginning. */
const places = ["after", "before", "cursor", "rows"];

/** The address of a list with some parameters changed; null removes one. A changed filter leads to the first page. */
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
