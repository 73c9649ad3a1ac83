/** Length in bytes of UTF-8, in which the limits of texts are given. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
