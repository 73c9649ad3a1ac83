export interface TaskReport {
  phase(words: string): void;
  /** `total` is null if not known. */
  progress(done: number, total: number | null): void;
}

export const silentReport: TaskReport = { phase: () => undefined, progress: () => undefined };
