/** Milliseconds since 1970 for ages on a page: read once on the server, so that server and browser draw the same. */
export function readClock(): number {
  return Date.now();
}
