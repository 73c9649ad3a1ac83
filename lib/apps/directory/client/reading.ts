import "server-only";
import { readRevision } from "@/lib/platform/db/revision";

/**
 * When something was read from the directory, in revisions of the database. What was changed here after that is newer
 * than what was read: a record that waited meanwhile must not undo it, or an old version would count as the latest.
 */
export class Reading {
  /** Revisions that this reading has made itself. */
  readonly #own = new Set<number>();

  private constructor(private readonly since: number) {}

  /** Notes the present; to be called before the directory is asked. Throws DatabaseUnavailable. */
  static async begin(): Promise<Reading> {
    return new Reading(await readRevision());
  }

  addOwn(revision: number): void {
    this.#own.add(revision);
  }

  /** Whether somebody else changed, after this reading began, what carries the revision. */
  isOlderThan(revision: number): boolean {
    return revision > this.since && !this.#own.has(revision);
  }
}
