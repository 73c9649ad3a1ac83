const lineEveryMs = 60_000;

/** Returns a function to call at each event of a kind. `tell` gets a count once a minute, the first one at once. */
export function countedLine(tell: (count: number) => void, now = () => performance.now()): () => void {
  let [untold, toldAt] = [0, -Infinity];
  return () => {
    untold += 1;
    if (now() - toldAt < lineEveryMs) return;
    tell(untold);
    [untold, toldAt] = [0, now()];
  };
}
