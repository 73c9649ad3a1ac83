/** Milliseconds since 1970. Read once on the server, so that server and browser render the same. */
export function readClock(): number {
  return Date.now();
}
