import { isDeepStrictEqual } from "node:util";
import type { ClientSession } from "mongoose";
import { batchesOf, rawCollection } from "@/lib/platform/db/connection/connect";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import { buildSnapshotApp, decidingVersions, type AppOutline } from "@/lib/policy/snapshot/app-outline";
import { damageOf, type Damage, type ReportDamage } from "@/lib/policy/snapshot/damage";
import {
  appVersionDocument,
  flagsDocument,
  appVersionProjection,
  internVersion,
  versionHeader,
  type FlagsDocument,
  type VersionHeader,
} from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import type { AppCatalogue, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/** Apps per query; limits the memory of a first load and the length of `$in` lists. */
const appsPerBatch = 250;

/** State of one reading, created anew for every attempt. */
interface Reading {
  readonly session: ClientSession;
  readonly pace: () => Promise<void>;
  readonly damages: Damage[];
}

/** Every write about an app stamps its flags document with the new revision: only later stamps are read again. */
export class AppLoader {
  readonly #report: ReportDamage;
  readonly #interner = new Interner();
  #index: AppIndex;
  #known: AppCatalogue | null;

  /** Equal `known` apps are kept, with what was compiled from them. The first reading continues from `start`. */
  constructor(report: ReportDamage, known: AppCatalogue | null = null, start = new AppIndex()) {
    this.#report = report;
    this.#known = known;
    this.#index = start;
  }

  get index(): AppIndex {
    return this.#index;
  }

  async read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void> {
    const reading: Reading = { session, pace, damages: [] };
    const keys = await findChangedKeys(reading, sinceRevision);
    const editor = this.#index.edit();
    for (let from = 0; from < keys.length; from += appsPerBatch) {
      const outlines = await readOutlines(reading, keys.slice(from, from + appsPerBatch));
      const versions = await this.#readVersions(reading, outlines);
      for (const outline of outlines.values()) {
        const app = buildSnapshotApp(outline, versions);
        if (app === null) editor.remove(outline.uuidKey);
        else editor.put(this.#knownAs(app, outline.uuidKey));
        await pace();
      }
    }
    const index = keys.length === 0 ? this.#index : editor.finish();
    return () => {
      this.#index = index;
      this.#known = null;
      for (const damage of reading.damages) this.#report(damage);
    };
  }

  #knownAs(app: SnapshotApp, uuidKey: string): SnapshotApp {
    const known = this.#known?.byUuid(uuidKey);
    return known !== undefined && isDeepStrictEqual(known, app) ? known : app;
  }

  /** Removes damaged versions from the outline and tries the next older one. */
  async #readVersions(reading: Reading, outlines: ReadonlyMap<string, AppOutline>) {
    const versions = new Map<number, SnapshotAppVersion>();
    let wanted = [...outlines.values()].flatMap(decidingVersions);
    while (wanted.length > 0) {
      const struck = new Set(await this.#readBatch(reading, wanted, versions));
      if (struck.size === 0) break;
      for (const outline of outlines.values()) {
        outline.versions = outline.versions.map((version) =>
          struck.has(version._id) ? { ...version, isDamaged: true } : version,
        );
      }
      wanted = [...outlines.values()].flatMap(decidingVersions).filter((id) => !versions.has(id));
    }
    return versions;
  }

  /** @returns the ids of damaged documents */
  async #readBatch({ session, pace, damages }: Reading, ids: number[], into: Map<number, SnapshotAppVersion>) {
    const collection = rawCollection(ApplicationModel);
    const damaged: number[] = [];
    const options = { session, projection: appVersionProjection, batchSize: 100 };
    for await (const batch of batchesOf(collection.find({ _id: { $in: ids } }, options))) {
      for (const document of batch) {
        const parsed = appVersionDocument.safeParse(document);
        if (parsed.success) into.set(parsed.data.id, internVersion(parsed.data, this.#interner));
        else {
          damaged.push(document._id);
          damages.push(damageOf(ApplicationModel, document, parsed.error));
        }
        await pace();
      }
    }
    return damaged;
  }
}

async function findChangedKeys({ session, pace }: Reading, sinceRevision: number): Promise<string[]> {
  const keys = new Set<string>();
  const options = { session, projection: { _id: 0, uuidKey: 1 }, batchSize: 1000 };
  const filter = { revision: { $gt: sinceRevision } };
  const found = rawCollection(ApplicationFlagsModel).find(filter, options).sort({ revision: 1 });
  for await (const batch of batchesOf(found)) {
    for (const { uuidKey } of batch) if (typeof uuidKey === "string") keys.add(uuidKey);
    await pace();
  }
  return [...keys];
}

/** Flags and version headers of the given apps. Apps without either become empty outlines, to be removed. */
async function readOutlines(reading: Reading, keys: readonly string[]): Promise<Map<string, AppOutline>> {
  const outlines = new Map(
    keys.map((uuidKey): [string, AppOutline] => [uuidKey, { uuidKey, flags: [], versions: [] }]),
  );
  for (const flags of await readFlags(reading, keys)) outlines.get(flags.uuidKey)?.flags.push(flags);
  for (const header of await readHeaders(reading, keys)) {
    outlines.get(header.uuidKey)?.versions.push({ ...header, isDamaged: false });
  }
  return outlines;
}

async function readFlags({ session, pace, damages }: Reading, keys: readonly string[]): Promise<FlagsDocument[]> {
  const collection = rawCollection(ApplicationFlagsModel);
  const found: FlagsDocument[] = [];
  const cursor = collection.find({ uuidKey: { $in: keys } }, { session, batchSize: appsPerBatch });
  for await (const batch of batchesOf(cursor)) {
    for (const document of batch) {
      const parsed = flagsDocument.safeParse(document);
      if (parsed.success) found.push(parsed.data);
      else damages.push(damageOf(ApplicationFlagsModel, document, parsed.error));
    }
    await pace();
  }
  return found;
}

/** In ascending order of ids per app, from the index alone. */
async function readHeaders({ session, pace, damages }: Reading, keys: readonly string[]): Promise<VersionHeader[]> {
  const collection = rawCollection(ApplicationModel);
  const projection = { _id: 1, uuid: 1, uuidKey: 1, shortUuid: 1, approvalStatus: 1 };
  const cursor = collection.find({ uuidKey: { $in: keys } }, { session, projection, batchSize: appsPerBatch });
  const found: VersionHeader[] = [];
  for await (const batch of batchesOf(cursor.sort({ uuidKey: 1, _id: 1 }))) {
    for (const document of batch) {
      const parsed = versionHeader.safeParse(document);
      if (parsed.success) found.push(parsed.data);
      else damages.push(damageOf(ApplicationModel, document, parsed.error));
    }
    await pace();
  }
  return found;
}
