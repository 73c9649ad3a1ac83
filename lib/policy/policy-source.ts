import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import type { SnapshotPlace } from "@/lib/policy/saved/snapshot-keeper";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** Where the runtime gets its data from; tests put their own here. */
export interface PolicySource extends SnapshotPlace {
  /** Makes the database usable: connection, indexes, first data. Called again until it succeeds. */
  open(): Promise<void>;
  /** The number of the newest committed revision. */
  readRevision(): Promise<number>;
  /** Everything the compiler needs, of one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Why the database takes no writes, null while it does; asks it again as long as it does not. */
  writeRefusal(): Promise<string | null>;
  /** Calls back after every commit that this process hears of; returns a function that ends it. */
  onRevision(listener: () => void): () => void;
  /** The snapshot kept on disk, or null (rule K6). */
  loadSaved(): Promise<SavedSnapshot | null>;
  /** Which database this is; not given: there is only one. */
  databaseId?(): Promise<string | null>;
}
