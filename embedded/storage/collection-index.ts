import { DatabaseError } from "../errors";
import { topField } from "../query/paths";
import { parseSort, valuesAt, type SortField } from "../query/sort";
import { pickFields } from "../values/bson-bytes";
import { encodeKey } from "../values/key-encoding";
import { getOwn, isList, isTruthy, type Doc } from "../values/values";
import { SortedList } from "./sorted-list";
import type { StoredDocument } from "./stored-document";
import type { Transaction } from "./transaction";

export interface KeyChange {
  readonly index: CollectionIndex;
  readonly oldKeys: readonly string[];
  readonly newKeys: readonly string[];
}

const maxEntriesPerDocument = 10_000;
const indexOptions: readonly string[] = ["key", "name", "unique", "v", "background"];

/** Throws for an unknown option: the index would contain the wrong entries. */
export function requireIndexOptions(spec: Doc): void {
  const unknown = Object.keys(spec).find((option) => !indexOptions.includes(option));
  if (unknown === undefined) return;
  throw new DatabaseError(197, `The embedded database has no indexes with the option '${unknown}'.`);
}

export class CollectionIndex {
  readonly name: string;
  readonly fields: readonly SortField[];
  readonly isUnique: boolean;
  readonly list = new SortedList();
  readonly claims = new Map<string, { transaction: Transaction; idKey: string }>();
  readonly roots: ReadonlySet<string>;
  /** Whether any document has had an array in an indexed field, which limits the use of bounds and order. */
  isMultikey = false;

  readonly #directions: readonly number[];

  constructor(readonly spec: Doc) {
    requireIndexOptions(spec);
    this.name = String(spec.name);
    this.fields = parseSort(spec.key);
    this.isUnique = isTruthy(spec.unique) || this.isIdIndex;
    this.#directions = this.fields.map(({ direction }) => direction);
    this.roots = new Set(this.fields.map(({ path }) => topField(path)));
  }

  get isIdIndex(): boolean {
    return this.name === "_id_";
  }

  keysOf(bytes: Buffer): string[] {
    return this.keysIn(pickFields(bytes, this.roots));
  }

  keysIn(doc: Doc): string[] {
    const values = this.fields.map(({ parts: [root = ""] }) => getOwn(doc, root));
    const isPlain = values.every((value, place) => !isList(value) && this.fields[place]?.parts.length === 1);
    return isPlain ? [encodeKey(values, this.#directions)] : this.#keysOfArrays(doc);
  }

  #keysOfArrays(doc: Doc): string[] {
    const columns = this.fields.map(({ parts }) => valuesAt(doc, parts));
    if (columns.some((values) => values.length > 1)) this.isMultikey = true;
    const arrays = this.fields.filter(({ parts }) => isList(doc[parts[0] ?? ""]));
    if (arrays.length > 0) this.isMultikey = true;
    if (new Set(arrays.map(({ parts }) => parts[0])).size > 1) {
      throw new DatabaseError(171, `cannot index parallel arrays in index ${this.name}`);
    }
    let rows: unknown[][] = [[]];
    for (const values of columns) rows = rows.flatMap((row) => values.map((value) => [...row, value]));
    if (rows.length > maxEntriesPerDocument) {
      throw new DatabaseError(13114, `too many index entries for one document in index ${this.name}`);
    }
    const keys = rows.map((row) => encodeKey(row, this.#directions));
    return keys.length === 1 ? keys : [...new Set(keys)];
  }

  move(document: StoredDocument, { oldKeys, newKeys }: KeyChange): void {
    for (const key of oldKeys) if (!newKeys.includes(key)) this.list.remove(key, document);
    for (const key of newKeys) if (!oldKeys.includes(key)) this.list.insert(key, document);
  }

  build(documents: Iterable<StoredDocument>, namespace: string): void {
    const entries: { key: string; document: StoredDocument }[] = [];
    const seen = this.isUnique && !this.isIdIndex ? new Set<string>() : null;
    for (const document of documents) {
      for (const key of this.isIdIndex ? [document.idKey] : this.keysOf(document.bytes)) {
        if (seen?.has(key)) throw this.duplicateKey(namespace, document.bytes);
        seen?.add(key);
        entries.push({ key, document });
      }
    }
    this.list.load(entries);
  }

  duplicateKey(namespace: string, bytes: Buffer): DatabaseError {
    const doc = pickFields(bytes, this.roots);
    const keyValue: Doc = {};
    for (const { path, parts } of this.fields) keyValue[path] = valuesAt(doc, parts)[0] ?? null;
    const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${JSON.stringify(value)}`);
    return new DatabaseError(
      11000,
      `E11000 duplicate key error collection: ${namespace} index: ${this.name} dup key: { ${shown.join(", ")} }`,
      { keyPattern: this.spec.key, keyValue },
    );
  }
}
