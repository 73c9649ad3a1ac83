/** Between two lines about what happens again and again, in milliseconds. */
const lineEveryMs = 60_000;

/** Makes a function to call for each of many alike events. `tell` gets one count a minute, the first at once. */
export function countedLine(tell: (count: number) => void, now = () => performance.now()): () => void {
  let [untold, toldAt] = [0, -Infinity];
  return () => {
    untold += 1;
    if (now() - toldAt < lineEveryMs) return;
    tell(untold);
    [untold, toldAt] = [0, now()];
  };
}
