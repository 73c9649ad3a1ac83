/** How a task tells what it is doing; shown on the about page. All members may be called at any rate. */
export interface TaskReport {
  /** What is being done now, a few words, e.g. "reading apps". */
  phase(words: string): void;
  /** How much is done of how much; `total` null while it is not known. */
  progress(done: number, total: number | null): void;
}

export const silentReport: TaskReport = { phase: () => undefined, progress: () => undefined };
