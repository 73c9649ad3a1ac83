"one per process";

let refusal: string | null = null;

/** OutOfDiskSpace, FileStreamFailed and FileNotOpen, with the sentence for callers. */
const sentences: ReadonlyMap<unknown, string> = new Map([
  [14031, "The disk of the database is full: nothing was changed. Writes work again when there is space."],
  [
    38,
    "A file of the database was deleted, moved or replaced: nothing was changed. Restore it and restart the server.",
  ],
  [39, "The database cannot write to its disk: nothing was changed. Writes work again when it can."],
]);

export function sentenceOfRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !error.name.startsWith("Mongo") || !("code" in error)) return null;
  return sentences.get(error.code) ?? null;
}

/** Stores why the database refuses writes (null: it accepts them). `findWriteRefusal` (`retry-writes.ts`) rechecks. */
export function noteWriteRefusal(sentence: string | null): void {
  refusal = sentence;
}

/** Why the database refuses writes, as a sentence for people; null: it accepts them, as far as is known. */
export function writeRefusal(): string | null {
  return refusal;
}
