import type { DatabaseFacts, DatabaseIdentity, PolicyOrigin } from "@/lib/policy/latch";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import type { SnapshotPlace } from "@/lib/policy/saved/snapshot-keeper";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

export interface PolicySource extends SnapshotPlace {
  /** Called until it succeeds. Calls `requireExpected` before it stores anything, which refuses other databases. */
  open(requireExpected: (database: DatabaseIdentity) => void): Promise<void>;
  databaseFacts(): Promise<DatabaseFacts>;
  readRevision(): Promise<number>;
  /** All data for the compiler, from one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Why the database does not accept writes, or null if it does; checks again while it does not. */
  writeRefusal(): Promise<string | null>;
  /** Calls the listener after every commit that this process learns of; returns a function to unsubscribe. */
  onRevision(listener: () => void): () => void;
  loadSaved(): Promise<SavedSnapshot | null>;
  /** Origin of the snapshot on disk, even if that is unusable; null if there is none. */
  savedOrigin(): Promise<PolicyOrigin | null>;
}
