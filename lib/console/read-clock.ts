/** Milliseconds since 1970 for ages on a page. Read once on the server, so that server and browser render the same. */
export function readClock(): number {
  return Date.now();
}
