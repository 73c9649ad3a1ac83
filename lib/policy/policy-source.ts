import type { DatabaseFacts, DatabaseIdentity, PolicyOrigin } from "@/lib/policy/latch";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import type { SnapshotPlace } from "@/lib/policy/saved/snapshot-keeper";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** Where the runtime gets its data from; tests put their own here. */
export interface PolicySource extends SnapshotPlace {
  /**
   * Makes the database usable: connection, indexes, first data. Called again until it succeeds.
   *
   * @param requireExpected called before anything is stored; throws when this is not the expected database
   */
  open(requireExpected: (database: DatabaseIdentity) => void): Promise<void>;
  /** Which database this is. */
  databaseFacts(): Promise<DatabaseFacts>;
  /** The number of the newest committed revision. */
  readRevision(): Promise<number>;
  /** Everything the compiler needs, of one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Why the database accepts no writes, or null if it does; asks it again as long as it doesn't. */
  writeRefusal(): Promise<string | null>;
  /** Calls back after every commit that this process hears of; returns a function that ends it. */
  onRevision(listener: () => void): () => void;
  /** The snapshot kept on disk, or null (rule K6). */
  loadSaved(): Promise<SavedSnapshot | null>;
  /** Where the snapshot on disk comes from, also of one that cannot be used; null: there is none. */
  savedOrigin(): Promise<PolicyOrigin | null>;
}
