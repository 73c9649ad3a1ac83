/** UTF-8 bytes, the unit of text limits. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
