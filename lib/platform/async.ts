/** Runs `work` with a signal that aborts after `ms` or with one of `stops`. (`AbortSignal.timeout` may be collected.) */
export async function withDeadline<T>(
  ms: number,
  stops: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, ms);
  for (const stop of stops) stop.addEventListener("abort", end);
  if (isStopped(stops)) end();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const stop of stops) stop.removeEventListener("abort", end);
  }
}

export function pause(ms: number, stops: readonly AbortSignal[]): Promise<void> {
  return withDeadline(ms, stops, async (signal) => {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  });
}

export function isStopped(stops: readonly AbortSignal[]): boolean {
  return stops.some(({ aborted }) => aborted);
}

/** Returns the result of `work`, or that of `late` after `ms` milliseconds. `work` then continues unobserved. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Callers share one run of `work` while it is in progress. */
export function shareWork<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = null;
    }));
}

/** Waits take `next`, which aborts when the signal is given the next time. */
export class Signal {
  #next = new AbortController();

  get next(): AbortSignal {
    return this.#next.signal;
  }

  give(): void {
    const given = this.#next;
    this.#next = new AbortController();
    given.abort();
  }
}
