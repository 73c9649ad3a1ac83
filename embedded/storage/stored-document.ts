/** A stored document: its encoded `_id`, its place in natural order, and the BSON bytes of its current version. */
export interface StoredDocument {
  readonly idKey: string;
  readonly order: number;
  bytes: Buffer;
}
