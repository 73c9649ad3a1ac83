interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches calls: those that arrive while `work` runs are done together next, up to `max`. They share a failure. */
export function gather<T, R>(max: number, work: (items: readonly T[]) => Promise<R>): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const together = waiting.slice(0, max);
      waiting = waiting.slice(max);
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
