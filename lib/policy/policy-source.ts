import type { DatabaseFacts, DatabaseIdentity, PolicyOrigin } from "@/lib/policy/latch";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import type { SnapshotPlace } from "@/lib/policy/saved/snapshot-keeper";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** Data source of the runtime; tests use their own. */
export interface PolicySource extends SnapshotPlace {
  /**
   * Prepares the database: connection, indexes, first data. Called again until it succeeds.
   *
   * @param requireExpected called before anything is stored; throws if this is not the expected database
   */
  open(requireExpected: (database: DatabaseIdentity) => void): Promise<void>;
  /** Identity of the database. */
  databaseFacts(): Promise<DatabaseFacts>;
  /** The newest committed revision. */
  readRevision(): Promise<number>;
  /** All data for the compiler, from one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Why the database does not accept writes, or null if it does; checks again while it does not. */
  writeRefusal(): Promise<string | null>;
  /** Calls the listener after every commit that this process learns of; returns a function to unsubscribe. */
  onRevision(listener: () => void): () => void;
  /** The snapshot saved on disk, or null (rule K6). */
  loadSaved(): Promise<SavedSnapshot | null>;
  /** Origin of the snapshot on disk, even if that is unusable; null if there is none. */
  savedOrigin(): Promise<PolicyOrigin | null>;
}
