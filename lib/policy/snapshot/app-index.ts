import { ShardedMap, type ShardedMapEditor } from "@/lib/policy/snapshot/sharded-map";
import type { AppCatalogue, SnapshotApp } from "@/lib/policy/table/snapshot";

const none: readonly SnapshotApp[] = [];

/** The stored apps by lower-case long and short id (rule A2). Immutable; a changed copy shares what did not change. */
export class AppIndex implements AppCatalogue {
  readonly #byUuid: ShardedMap<SnapshotApp>;
  readonly #byShortId: ShardedMap<readonly SnapshotApp[]>;

  constructor(
    byUuid: ShardedMap<SnapshotApp> = new ShardedMap(),
    byShortId: ShardedMap<readonly SnapshotApp[]> = new ShardedMap(),
  ) {
    this.#byUuid = byUuid;
    this.#byShortId = byShortId;
  }

  get size(): number {
    return this.#byUuid.size;
  }

  byUuid(uuid: string): SnapshotApp | undefined {
    return this.#byUuid.get(uuid);
  }

  byShortId(shortId: string): readonly SnapshotApp[] {
    return this.#byShortId.get(shortId) ?? none;
  }

  values(): Generator<SnapshotApp> {
    return this.#byUuid.values();
  }

  edit(): AppIndexEditor {
    return new AppIndexEditor(this.#byUuid.edit(), this.#byShortId.edit());
  }
}

/** Collects changed apps; may be used over several turns of the event loop. */
export class AppIndexEditor {
  readonly #byUuid: ShardedMapEditor<SnapshotApp>;
  readonly #byShortId: ShardedMapEditor<readonly SnapshotApp[]>;

  constructor(byUuid: ShardedMapEditor<SnapshotApp>, byShortId: ShardedMapEditor<readonly SnapshotApp[]>) {
    this.#byUuid = byUuid;
    this.#byShortId = byShortId;
  }

  put(app: SnapshotApp): void {
    const key = app.uuid.toLowerCase();
    this.remove(key);
    this.#byUuid.set(key, app);
    for (const short of shortKeys(app)) this.#byShortId.set(short, [...(this.#byShortId.get(short) ?? none), app]);
  }

  remove(uuidKey: string): void {
    const app = this.#byUuid.get(uuidKey);
    if (app === undefined) return;
    this.#byUuid.delete(uuidKey);
    for (const short of shortKeys(app)) {
      const others = (this.#byShortId.get(short) ?? none).filter((other) => other !== app);
      if (others.length > 0) this.#byShortId.set(short, others);
      else this.#byShortId.delete(short);
    }
  }

  finish(): AppIndex {
    return new AppIndex(this.#byUuid.finish(), this.#byShortId.finish());
  }
}

/** Unordered. Checks the shape, because each bundle of the server has its own class. Throws TypeError. */
export function listApps(apps: AppCatalogue): Iterable<SnapshotApp> {
  if (isListable(apps)) return apps.values();
  throw new TypeError("The apps of this snapshot cannot be listed.");
}

function isListable(apps: AppCatalogue): apps is AppCatalogue & Pick<AppIndex, "values"> {
  return "values" in apps && typeof apps.values === "function";
}

/** The catalogue as an index that can be copied with changes, checked by shape as above; null if it is not one. */
export function findIndex(apps: AppCatalogue): AppIndex | null {
  return isIndex(apps) ? apps : null;
}

function isIndex(apps: AppCatalogue): apps is AppIndex {
  return isListable(apps) && "edit" in apps && typeof apps.edit === "function";
}

function shortKeys(app: SnapshotApp): ReadonlySet<string> {
  return new Set(app.shortIds.map(({ shortId }) => shortId.toLowerCase()));
}
