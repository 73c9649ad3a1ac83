/** How a task reports its progress, for the about page. Methods may be called as often as needed. */
export interface TaskReport {
  /** The current step in a few words, e.g. "reading apps". */
  phase(words: string): void;
  /** `total` is null if not known. */
  progress(done: number, total: number | null): void;
}

export const silentReport: TaskReport = { phase: () => undefined, progress: () => undefined };
