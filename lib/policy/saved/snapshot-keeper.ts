import type { Containers } from "@/lib/certificates/module/module-containers";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { SnapshotOrigin } from "@/lib/policy/saved/snapshot-parts";
import { pause } from "@/lib/platform/async";

/** Where snapshots are saved; without its methods, another process saves them. */
export interface SnapshotPlace {
  save?(snapshot: PolicySnapshot, origin: SnapshotOrigin, containers?: Containers): Promise<void>;
  confirm?(at: number): Promise<void>;
}

export interface KeeperOptions {
  readonly source: SnapshotPlace;
  readonly log: { warn(details: object, message: string): void };
  readonly saveDelayMs?: number;
  /** Aborted when the process stops; a waiting snapshot is then written at once. */
  readonly stopping: AbortSignal;
  readonly origin: () => SnapshotOrigin;
}

const defaultSaveDelayMs = 2_000;
/** Minimum pause after a save, as a multiple of its duration, because thousands of apps take a while. */
const restAfterSave = 9;
/** How often the time of the last check of the database is saved on disk, in milliseconds. */
const confirmEveryMs = 60_000;

/** Saves the newest snapshot, and when it was last confirmed (rules K6, K7). Without `save`, it does nothing. */
export class SnapshotKeeper {
  readonly #options: KeeperOptions;
  #saving: Promise<void> = Promise.resolve();
  #isSaveDue = false;
  #unsaved: PolicySnapshot | null = null;
  #lastSaveMs = 0;
  #saved: { readonly revision: number; readonly databaseId: string | null } | null = null;
  #confirmedOnDiskAt = 0;
  #writtenAt = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** When this process last wrote or confirmed it, in ms since 1970; 0: not yet, null: another process saves it. */
  get writtenAt(): number | null {
    return this.#options.source.save ? this.#writtenAt : null;
  }

  note(saved: { readonly revision: number; readonly databaseId: string | null }): void {
    this.#saved = saved;
  }

  forget(): void {
    this.#saved = null;
  }

  /** Writes a snapshot after a delay, so that many revisions in a row become one write. Skips one that is on disk. */
  keep(snapshot: PolicySnapshot): void {
    if (!this.#options.source.save || this.#isSaved(snapshot)) return;
    this.#unsaved = snapshot;
    if (this.#isSaveDue) return;
    this.#isSaveDue = true;
    const { stopping, saveDelayMs = defaultSaveDelayMs } = this.#options;
    const delay = Math.max(saveDelayMs, this.#lastSaveMs * restAfterSave);
    this.#saving = this.#saving.then(() => pause(delay, [stopping])).then(() => this.#save());
  }

  /** Notes that the database had the revision of the snapshot, `at` in milliseconds since 1970. */
  confirm(snapshot: PolicySnapshot, at: number): void {
    const { source, log } = this.#options;
    if (!source.confirm || Math.abs(at - this.#confirmedOnDiskAt) < confirmEveryMs) return;
    if (this.#isSaveDue || !this.#isSaved(snapshot)) return;
    this.#confirmedOnDiskAt = at;
    this.#saving = this.#saving
      .then(() => source.confirm?.(at))
      .then(() => void (this.#writtenAt = at))
      .catch((error: unknown) => log.warn({ err: error }, "the policy kept on disk cannot be confirmed"));
  }

  async done(): Promise<void> {
    await this.#saving;
  }

  /** Another database may be at the same revision. */
  #isSaved({ revision }: PolicySnapshot): boolean {
    return revision === this.#saved?.revision && this.#options.origin().databaseId === this.#saved.databaseId;
  }

  async #save(): Promise<void> {
    this.#isSaveDue = false;
    const snapshot = this.#unsaved;
    if (snapshot === null) return;
    this.#unsaved = null;
    const start = performance.now();
    try {
      const origin = this.#options.origin();
      await this.#options.source.save?.(snapshot, origin);
      this.#saved = { revision: snapshot.revision, databaseId: origin.databaseId };
      this.#confirmedOnDiskAt = origin.confirmedAt ?? 0;
      this.#writtenAt = Date.now();
    } catch (error) {
      this.#options.log.warn({ err: error }, "the policy cannot be kept on disk");
    }
    this.#lastSaveMs = performance.now() - start;
  }
}
