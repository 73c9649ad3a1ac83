import { DatabaseError } from "../errors";
import { toNumber, isDoc, type Doc } from "../values/values";
import { Collection } from "./collection";
import { CollectionIndex } from "./collection-index";
import type { Undo } from "./storage-log";

export class Catalog {
  readonly collections = new Map<string, Collection>();
  readonly #byNumber = new Map<number, Collection>();
  #nextNumber = 1;

  get nextNumber(): number {
    return this.#nextNumber;
  }

  holds(collection: Collection): boolean {
    return this.#byNumber.get(collection.number) === collection;
  }

  numbered(number: number): Collection {
    const collection = this.#byNumber.get(number);
    if (collection === undefined) throw new Error("it names a collection that does not exist");
    return collection;
  }

  /** `index`: the one that the entry creates, if already built. */
  apply(entry: Doc, index?: CollectionIndex): void {
    const number = toNumber(entry.number);
    if (entry.op === "create") {
      const created = new Collection(number, String(entry.database), String(entry.name));
      this.collections.set(created.namespace, created);
      this.#byNumber.set(number, created);
      this.#nextNumber = Math.max(this.#nextNumber, number + 1);
      return;
    }
    const collection = this.numbered(number);
    if (entry.op === "drop") this.#forget(collection);
    // Only in logs written by a client other than the server.
    else if (entry.op === "dropIndex") collection.indexes.delete(String(entry.name));
    else if (isDoc(entry.spec)) {
      const created = index ?? new CollectionIndex(entry.spec);
      collection.indexes.set(created.name, created);
    }
  }

  /** Returns a function that undoes an entry. Call it before applying the entry. */
  undoOf(entry: Doc): Undo {
    const number = toNumber(entry.number);
    if (entry.op === "create") return () => this.#forget(this.numbered(number));
    const collection = this.numbered(number);
    if (entry.op === "drop") {
      return () => {
        this.collections.set(collection.namespace, collection);
        this.#byNumber.set(number, collection);
      };
    }
    const indexes = [...collection.indexes];
    return () => {
      collection.indexes.clear();
      for (const [name, index] of indexes) collection.indexes.set(name, index);
    };
  }

  #forget(collection: Collection): void {
    this.collections.delete(collection.namespace);
    this.#byNumber.delete(collection.number);
  }
}

export function requireNamespace(database: string, name: string): void {
  if (/^[^/\\. "$*<>:|?\0]{1,63}$/.test(database) && name !== "" && !/^system\.|\0|\$/.test(name)) return;
  throw new DatabaseError(73, `Invalid namespace specified '${database}.${name}'`);
}
