import { randomUUID } from "node:crypto";
import type { Catalog, DirectoryRecord } from "@/example-directory/catalog";

/** The actions of notifications (`api.md` section 8). */
export type WebhookAction = "UPSERT" | "DELETE" | "BLACKLIST";

export interface AppChange {
  readonly action: WebhookAction;
  readonly record: DirectoryRecord;
}

interface AppQuery {
  /** Uuids; undefined: all. */
  readonly uuid?: readonly string[] | undefined;
  readonly include_deleted: boolean;
  readonly include_blacklisted: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Numbers of versions created while the directory runs, far from those of the catalog. */
const firstNewVersion = 10_000_000;

/** The apps of the example directory. Stores only changed ones; the catalog generates all others. */
export class ExampleApps {
  readonly #loadCatalog: () => Catalog;
  readonly #now: () => Date;
  readonly #changed = new Map<number, DirectoryRecord>();
  readonly #addedIds = new Map<string, number>();
  readonly #versionIds = new Map<number, number>();
  readonly #listeners = new Set<(change: AppChange) => void>();
  #catalog: Catalog | null = null;
  #nextVersion = firstNewVersion;

  constructor(loadCatalog: () => Catalog, now: () => Date = () => new Date()) {
    this.#loadCatalog = loadCatalog;
    this.#now = now;
  }

  get count(): number {
    return this.#base.size + this.#addedIds.size;
  }

  /** The current record of an app, even if deleted; null if it never existed. */
  app(uuid: string): DirectoryRecord | null {
    const id = this.#idOf(uuid);
    return id === null ? null : this.at(id);
  }

  /** The current records of all apps, including deleted ones, in the order of pages. */
  *all(): Generator<DirectoryRecord> {
    for (let id = 0; id < this.count; id++) yield this.at(id);
  }

  at(id: number): DirectoryRecord {
    return this.#changed.get(id) ?? this.#base.at(id);
  }

  page({ uuid, limit, offset, ...including }: AppQuery): DirectoryRecord[] {
    const page: DirectoryRecord[] = [];
    let passed = 0;
    for (const id of this.#ids(uuid)) {
      if (page.length >= limit) break;
      // Only changed apps can be deleted or blacklisted, so skipping others needs no record.
      const changed = this.#changed.get(id);
      if (!including.include_deleted && typeof changed?.deleted_ts === "string") continue;
      if (!including.include_blacklisted && typeof changed?.blacklisted_ts === "string") continue;
      if (passed++ >= offset) page.push(this.at(id));
    }
    return page;
  }

  ownerOf(version: number): string | null {
    const id = this.#versionIds.get(version) ?? this.#base.idOfVersion(version);
    return id === null ? null : this.at(id).uuid;
  }

  /** Adds an app. By default it looks like the first of the catalog with its own name. */
  add(members: Readonly<Record<string, unknown>> = {}): DirectoryRecord {
    const uuid = typeof members["uuid"] === "string" ? members["uuid"] : randomUUID();
    if (this.#idOf(uuid) !== null) throw new Error(`the app ${uuid} exists already`);
    const id = this.count;
    this.#addedIds.set(uuid, id);
    const short = uuid.replaceAll("-", "").slice(0, 10);
    const created = this.#now().toISOString();
    const own = { uuid, short_uuid: short, name: `New app ${short}`, platform_app_id: `com.example.new${short}` };
    return this.#save(id, { ...this.#base.at(0), ...own, created_ts: created }, members, "UPSERT");
  }

  /** Adds a version of an app with these members and a new `version_id`. Throws for an unknown app. */
  change(uuid: string, members: Readonly<Record<string, unknown>> = {}): DirectoryRecord {
    const id = this.#requireId(uuid);
    return this.#save(id, this.at(id), members, "UPSERT");
  }

  delete(uuid: string): DirectoryRecord {
    return this.#mark(uuid, { deleted_ts: this.#now().toISOString() }, "DELETE");
  }

  blacklist(uuid: string): DirectoryRecord {
    return this.#mark(uuid, { blacklisted_ts: this.#now().toISOString() }, "BLACKLIST");
  }

  unblacklist(uuid: string): DirectoryRecord {
    return this.#mark(uuid, { blacklisted_ts: null }, "UPSERT");
  }

  onChange(listener: (change: AppChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #base(): Catalog {
    return (this.#catalog ??= this.#loadCatalog());
  }

  #idOf(uuid: string): number | null {
    return this.#addedIds.get(uuid) ?? this.#base.idOf(uuid);
  }

  #requireId(uuid: string): number {
    const id = this.#idOf(uuid);
    if (id === null) throw new Error(`there is no app ${uuid}`);
    return id;
  }

  *#ids(uuids: readonly string[] | undefined): Generator<number> {
    if (uuids === undefined) for (let id = 0; id < this.count; id++) yield id;
    else {
      const known = new Set(uuids.map((uuid) => this.#idOf(uuid)).filter((id) => id !== null));
      yield* [...known].toSorted((one, other) => one - other);
    }
  }

  /** The version number stays, because existence and blacklist are not part of an app's content. */
  #mark(uuid: string, marks: Partial<DirectoryRecord>, action: WebhookAction): DirectoryRecord {
    const id = this.#requireId(uuid);
    const record = this.at(id);
    return this.#save(id, record, { version_id: record.version_id, ...marks }, action);
  }

  #save(id: number, base: DirectoryRecord, members: Readonly<Record<string, unknown>>, action: WebhookAction) {
    const record: DirectoryRecord = {
      ...base,
      version_id: this.#nextVersion,
      updated_ts: this.#now().toISOString(),
      ...members,
    };
    if (record.version_id === this.#nextVersion) this.#nextVersion++;
    if (typeof record.version_id === "number") this.#versionIds.set(record.version_id, id);
    this.#changed.set(id, record);
    for (const listener of this.#listeners) listener({ action, record });
    return record;
  }
}
