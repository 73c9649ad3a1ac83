import { DirectoryFailed } from "@/lib/apps/directory/client/errors";
import { memberOf } from "@/lib/policy/head-unit/values";

export const pageSize = 50;
const maxPages = 2_000;

type Page = readonly unknown[];

/**
 * Yields pages until one has fewer than 50 elements. Requests the first alone, then `atOnce` ahead, and buffers no
 * more. Throws DirectoryFailed after 2,000 pages, or if a page repeats the previous one.
 */
export async function* readPages(
  read: (offset: number, stop: AbortSignal) => Promise<Page>,
  atOnce: number,
): AsyncGenerator<Page, void, undefined> {
  const stop = new AbortController();
  const coming: Promise<Page>[] = [];
  let asked = 0;
  const ask = () => {
    const page = read(asked++ * pageSize, stop.signal);
    // A failed page beyond the last one does not matter.
    page.catch(() => undefined);
    coming.push(page);
  };
  let before = "";
  try {
    for (let number = 0; number < maxPages; number++) {
      while (coming.length < (number === 0 ? 1 : atOnce) && asked < maxPages) ask();
      const page = (await coming.shift()) ?? [];
      const mark = identify(page);
      if (page.length > 0 && mark === before) throw new DirectoryFailed("The app directory gave the same page twice");
      before = mark;
      if (page.length > 0) yield page;
      if (page.length < pageSize) return;
    }
    throw new DirectoryFailed(`The app directory gave more than ${maxPages} pages`);
  } finally {
    stop.abort();
  }
}

const identity = (value: unknown) => (typeof value === "string" || typeof value === "number" ? value : null);

/** The versions on a page: enough to notice a repeated page without comparing its whole content. */
function identify(page: Page): string {
  return JSON.stringify(
    page.map((element) => [element, memberOf(element, "uuid"), memberOf(element, "version_id")].map(identity)),
  );
}

/** Maximum length of the uuids in one query, in encoded characters, because servers refuse much longer URLs. */
const longestBatch = 4_000;

/** A uuid with a comma would be read as several, so it gets its own list; an empty one would request all apps. */
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
