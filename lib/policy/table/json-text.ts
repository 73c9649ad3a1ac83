/**
 * JSON text of an object whose members keep the given order.
 *
 * A JavaScript object would move names like "42" to the front, and the table's order is fixed by rule (G6).
 *
 * @param members pairs of name and finished JSON text
 */
export function objectText(members: Iterable<readonly [name: string, json: string]>): string {
  const parts: string[] = [];
  for (const [name, json] of members) parts.push(`${JSON.stringify(name)}:${json}`);
  return `{${parts.join(",")}}`;
}
