/** An app as the directory's API writes it (`directory.md` 3.1). */
export interface DirectoryRecord {
  readonly uuid: string;
  readonly version_id: number | null;
  readonly updated_ts: string;
  /** Set: the app no longer exists. */
  readonly deleted_ts: string | null;
  /** Set: the app is not allowed anywhere. */
  readonly blacklisted_ts: string | null;
  /** The other members; tests also put wrong ones here. */
  readonly [member: string]: unknown;
}
