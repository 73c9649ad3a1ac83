import { createGenerator, type DirectoryRecord, firstGeneratedVersion } from "@/example-directory/generator";
import type { ExampleSeeds } from "@/example-directory/seeds";

export interface Catalog {
  readonly size: number;
  at(id: number): DirectoryRecord;
  idOf(uuid: string): number | null;
  /** The app that has or had a version with this number. */
  idOfVersion(version: number): number | null;
}

/** The apps of the seed file, followed by generated ones. `size`: total number, null for only those of the file. */
export function createCatalog(seeds: ExampleSeeds, size: number | null, seed: number): Catalog {
  // Keeps the position of the first version and the members of the last, because the directory returns the newest.
  const newest = new Map<string, DirectoryRecord>();
  const versions = new Map<number, string>();
  for (const { local: _, ...record } of seeds.apps) {
    newest.set(record.uuid, record);
    versions.set(record.version_id, record.uuid);
  }
  const written = [...newest.values()].slice(0, size ?? undefined);
  const ids = new Map(written.map(({ uuid }, id) => [uuid, id]));
  const generator = createGenerator({
    seed,
    categories: seeds.categories,
    permissions: seeds.permissions.map(({ key }) => key),
    serviceTypes: seeds.serviceTypes.map(({ name }) => name),
  });
  const total = size ?? written.length;
  const inCatalog = (id: number) => (id >= written.length && id < total ? id : null);
  return {
    size: total,
    at: (id) => {
      if (id < 0 || id >= total) throw new Error(`no app has the internal id ${id}`);
      return written[id] ?? generator.build(id);
    },
    idOf: (uuid) => {
      const number = ids.get(uuid) ?? null;
      if (number !== null) return number;
      const generated = generator.numberOf(uuid);
      return generated === null ? null : inCatalog(generated);
    },
    idOfVersion: (version) => ids.get(versions.get(version) ?? "") ?? inCatalog(version - firstGeneratedVersion),
  };
}
