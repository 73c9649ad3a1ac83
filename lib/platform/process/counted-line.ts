/** Between two lines about what happens again and again, in milliseconds. */
const lineEveryMs = 60_000;

/**
 * Makes a function that is called for each of many alike events, and tells of them in one line a minute: the first at once, then
 * how many there were since the line before.
 *
 * @param tell writes the line
 * @param now the present time in milliseconds
 */
export function countedLine(tell: (count: number) => void, now = () => performance.now()): () => void {
  let [untold, toldAt] = [0, -Infinity];
  return () => {
    untold += 1;
    if (now() - toldAt < lineEveryMs) return;
    tell(untold);
    [untold, toldAt] = [0, now()];
  };
}
