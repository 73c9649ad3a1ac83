import { pageSize } from "@/lib/directory/client/pages";

/** Longest list of uuids in one query, in encoded characters: servers refuse addresses much longer than this. */
const longestBatch = 4_000;

/**
 * Splits uuids into lists for single calls, each uuid once. One with a comma would be read as several, so it goes
 * alone; an empty one would ask for all apps, so it is left out.
 */
export function batchUuids(uuids: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let length = 0;
  for (const uuid of new Set(uuids)) {
    if (uuid === "") continue;
    if (uuid.includes(",")) {
      batches.push([uuid]);
      continue;
    }
    const added = new URLSearchParams([[uuid, ""]]).toString().length + 2;
    if (batch.length === pageSize || (batch.length > 0 && length + added > longestBatch)) {
      batches.push(batch);
      batch = [];
      length = 0;
    }
    batch.push(uuid);
    length += added;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
