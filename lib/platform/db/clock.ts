export interface Clock {
  now(): number;
  elapsed(): number;
  /** Calls `work` every `ms` milliseconds, without keeping the process alive. Returns a function that stops it. */
  every(ms: number, work: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
