export interface StoredDocument {
  readonly idKey: string;
  readonly order: number;
  bytes: Buffer;
}
