import type { ExampleSeeds } from "@/example-directory/seeds";

/** An app in the app directory's API (`directory.md` 3.1). */
export interface DirectoryRecord {
  readonly uuid: string;
  readonly version_id: number | null;
  readonly updated_ts: string;
  /** If set, the app no longer exists. */
  readonly deleted_ts: string | null;
  /** If set, the app is not allowed anywhere. */
  readonly blacklisted_ts: string | null;
  /** The other members; tests also put invalid ones here. */
  readonly [member: string]: unknown;
}

export interface Catalog {
  readonly size: number;
  at(id: number): DirectoryRecord;
  idOf(uuid: string): number | null;
  /** The app that has or had a version with this number. */
  idOfVersion(version: number): number | null;
}

/** The apps of the seed file, of which at most `size` count. */
export function createCatalog({ apps }: Pick<ExampleSeeds, "apps">, size = Infinity): Catalog {
  // Keeps the position of the first version and the members of the last, because the directory returns the newest.
  const newest = new Map<string, DirectoryRecord>();
  const versions = new Map<number, string>();
  for (const { local: _, ...record } of apps) {
    newest.set(record.uuid, record);
    versions.set(record.version_id, record.uuid);
  }
  const written = [...newest.values()].slice(0, size);
  const ids = new Map(written.map(({ uuid }, id) => [uuid, id]));
  return {
    size: written.length,
    at: (id) => {
      const record = written[id];
      if (record === undefined) throw new Error(`no app has the internal id ${id}`);
      return record;
    },
    idOf: (uuid) => ids.get(uuid) ?? null,
    idOfVersion: (version) => ids.get(versions.get(version) ?? "") ?? null,
  };
}
