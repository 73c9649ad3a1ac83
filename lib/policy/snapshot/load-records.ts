import type { ClientSession } from "mongoose";
import type { z } from "zod";
import { findHeadIds, findHeadsAsOf, recordFamilies } from "@/lib/platform/db/heads";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";
import { damageOf, type Damage, type ReportDamage } from "@/lib/policy/snapshot/damage";
import type { Views } from "@/lib/policy/table/snapshot";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import { recordStatuses, type RecordStatus } from "@/lib/vocabulary/terms";

const batchSize = 100;

export interface SnapshotSource<T> {
  readonly family: RecordItemFamily;
  readonly document: z.ZodType<T>;
  keyOf(record: T): string;
  /** Module configs get new certificates without a new record, so their newest records are read every time. */
  readonly isRenewedInPlace?: boolean;
  /** Both views are those of production when this release was published (`releases.md` L3). */
  readonly asOf?: number;
}

/** The newest records of one key; null if the newest one is damaged. */
interface Heads<T> {
  staging?: T | null;
  production?: T | null;
}

interface ReadRecord<T> {
  readonly key: string;
  readonly status: RecordStatus;
  /** Null if damaged. */
  readonly record: T | null;
}

/** Records are append-only, so after the first load it reads only ids above the greatest known one. */
export class RecordViews<T extends { readonly id: number }> {
  readonly #source: SnapshotSource<T>;
  readonly #report: ReportDamage;
  readonly #heads = new Map<string, Heads<T>>();
  #lastId = 0;
  #isRead = false;
  #stamp = "";
  #views: Views<T> = { staging: [], production: [] };

  /** @param known an earlier state, which the first reading extends */
  constructor(source: SnapshotSource<T>, report: ReportDamage, known: Views<T> | null = null) {
    this.#source = source;
    this.#report = report;
    if (known === null) return;
    const keep = (place: keyof Heads<T>, records: readonly T[]) => {
      for (const record of records) {
        const key = source.keyOf(record);
        this.#heads.set(key, { ...this.#heads.get(key), [place]: record });
        this.#lastId = Math.max(this.#lastId, record.id);
      }
    };
    keep("production", known.production);
    keep("staging", known.staging);
    [this.#views, this.#isRead] = [known, true];
  }

  get views(): Views<T> {
    return this.#views;
  }

  /** Returns a function that applies what was read, because the surrounding transaction may have to be repeated. */
  async read(session: ClientSession, pace: () => Promise<void>): Promise<() => void> {
    const isWhole = !this.#isRead || this.#source.isRenewedInPlace === true;
    const found: ReadRecord<T>[] = [];
    const damages: Damage[] = [];
    const stamps: string[] = [];
    let lastId = this.#lastId;
    for await (const document of this.#documents(session, isWhole)) {
      const read = this.#readDocument(document, damages);
      if (read !== null) found.push(read);
      stamps.push(`${document._id}@${document.updatedAt instanceof Date ? document.updatedAt.getTime() : 0}`);
      lastId = Math.max(lastId, document._id);
      await pace();
    }
    const stamp = stamps.join();
    return () => {
      this.#isRead = true;
      // Returns the same arrays if nothing changed, so that what is compiled from them stays valid.
      if (stamps.length === 0 || (isWhole && stamp === this.#stamp)) return;
      this.#lastId = lastId;
      this.#stamp = stamp;
      this.#take(found);
      for (const damage of damages) this.#report(damage);
    };
  }

  /** In ascending order of ids. */
  async *#documents(session: ClientSession, isWhole: boolean): AsyncGenerator<RawDocument> {
    const { model, keyField } = recordFamilies[this.#source.family];
    const collection = rawCollection(model);
    if (isWhole && keyField === null && this.#source.asOf === undefined) {
      const newestOf = (filter: object) => collection.find(filter, { session }).sort({ _id: -1 }).limit(1).toArray();
      const newest = await newestOf({});
      // Usually one record serves both views.
      if (newest.some(({ status }) => status !== "PRODUCTION")) yield* await newestOf({ status: "PRODUCTION" });
      yield* newest;
      return;
    }
    const filter = isWhole ? await this.#headFilter(session) : { _id: { $gt: this.#lastId } };
    yield* collection.find(filter, { session, batchSize }).sort({ _id: 1 });
  }

  async #headFilter(session: ClientSession) {
    const { family, asOf } = this.#source;
    if (asOf !== undefined) {
      const heads = await findHeadsAsOf(family, asOf, { session });
      return { _id: { $in: heads.map(({ id }) => id) } };
    }
    const staging = await findHeadIds(family, "staging", session);
    const production = await findHeadIds(family, "production", session);
    return { _id: { $in: [...new Set([...staging, ...production])] } };
  }

  #readDocument(document: RawDocument, damages: Damage[]): ReadRecord<T> | null {
    const { keyField, model } = recordFamilies[this.#source.family];
    const parsed = this.#source.document.safeParse(document);
    if (!parsed.success) damages.push(damageOf(model, document, parsed.error));
    const key = keyField === null ? "" : document[keyField];
    const status = recordStatuses.find((known) => known === document.status);
    // Without them it is unknown which older record it replaces.
    if (typeof key !== "string" || status === undefined) return null;
    return { key, status, record: parsed.data ?? null };
  }

  /** Records arrive in ascending order of ids, so each one replaces the previous one of its key. */
  #take(records: readonly ReadRecord<T>[]): void {
    for (const { key, status, record } of records) {
      const heads = this.#heads.get(key) ?? {};
      heads.staging = record;
      if (status === "PRODUCTION") heads.production = record;
      this.#heads.set(key, heads);
    }
    const heads = [...this.#heads.values()];
    this.#views = {
      staging: ascending(heads.map((head) => head.staging)),
      production: ascending(heads.map((head) => head.production)),
    };
  }
}

function ascending<T extends { readonly id: number }>(records: readonly (T | null | undefined)[]): T[] {
  return records.filter((record) => record !== null && record !== undefined).toSorted((a, b) => a.id - b.id);
}
