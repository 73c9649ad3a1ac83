import { open } from "node:fs/promises";
import yauzl from "yauzl";
import { FileReader } from "@/lib/apps/bundles/file-reader";
import { BundleError, isBundleError } from "@/lib/apps/bundles/handler";

/** Largest sum of the sizes that an archive's entry table declares. */
const maxDeclaredBytes = 2 * 1024 ** 3;
/** Far more than an app has; each costs two small reads. */
const maxEntries = 100_000;

/**
 * Adds up the sizes of all files in an archive, folders not counted, as its entry table declares them; nothing is
 * unpacked.
 *
 * @throws BundleError for a file that is no archive, a damaged one, and one that declares too much or nothing
 */
export async function measureArchive(file: string, signal: AbortSignal): Promise<number> {
  const handle = await open(/* turbopackIgnore: true */ file, "r");
  try {
    const { size } = await handle.stat();
    const total = await new Promise<number>((resolve, reject) => {
      addUp(new FileReader(handle, size, reject), size, signal).then(resolve, reject);
    });
    if (total > 0) return total;
  } catch (error) {
    if (isBundleError(error)) throw error;
    if (signal.aborted) throw new BundleError("The bundle was given up: there was no time left to look into it");
    throw new BundleError("The bundle is not a zip archive, or it is damaged", { cause: error });
  } finally {
    await handle.close();
  }
  throw new BundleError("The bundle holds no files, or only empty ones");
}

async function addUp(reader: FileReader, size: number, signal: AbortSignal): Promise<number> {
  const archive = await yauzl.fromRandomAccessReaderPromise(reader, size, { lazyEntries: true });
  // Without a listener a late report would end the process; what it says was an answer to an entry as well.
  archive.on("error", () => undefined);
  if (archive.entryCount > maxEntries) throw new BundleError(`The bundle holds more than ${maxEntries} entries`);
  let total = 0;
  for await (const { fileName, uncompressedSize } of archive.eachEntry()) {
    signal.throwIfAborted();
    if (!fileName.endsWith("/")) total += uncompressedSize;
    if (total > maxDeclaredBytes) throw new BundleError("The files in the bundle are larger than 2 GiB together");
  }
  return total;
}
