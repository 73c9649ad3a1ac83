/** What tells the time. A test puts its own in place. */
export interface Clock {
  /** Milliseconds since 1970, as all instances should agree on; may jump. */
  now(): number;
  /** Milliseconds from any moment on, never going back. */
  elapsed(): number;
  /** Calls `work` every so many milliseconds, without keeping the process alive; returns what ends it. */
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
