interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function of one item from one of many: calls that come while the work is being done are done together
 * afterwards, so that a thousand at once cost a few writes and not a thousand.
 *
 * @param most items that are worked on together
 * @param work its failure is that of all calls it was done for
 */
export function gather<T, R>(most: number, work: (items: readonly T[]) => Promise<R>): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const together = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const result = await work(together.map(({ item }) => item));
        for (const { resolve } of together) resolve(result);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
