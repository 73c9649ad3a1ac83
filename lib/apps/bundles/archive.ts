import { open, type FileHandle } from "node:fs/promises";
import yauzl from "yauzl";
import { BundleError } from "@/lib/apps/bundles/handler";

/** Maximum sum of the sizes declared in an archive's entry table. */
const maxDeclaredBytes = 2 * 1024 ** 3;
/** Far more than any app has; each costs two small reads. */
const maxEntries = 100_000;

/** Adds up declared sizes, unpacks nothing. Throws BundleError for a damaged archive, or sizes too large or zero. */
export async function measureArchive(file: string, signal: AbortSignal): Promise<number> {
  const handle = await open(/* turbopackIgnore: true */ file, "r");
  try {
    const { size } = await handle.stat();
    const total = await new Promise<number>((resolve, reject) => {
      addUp(new FileReader(handle, size, reject), size, signal).then(resolve, reject);
    });
    if (total > 0) return total;
  } catch (error) {
    if (error instanceof BundleError) throw error;
    if (signal.aborted) throw new BundleError("The bundle was given up: there was no time left to look into it");
    throw new BundleError("The bundle is not a zip archive, or it is damaged", { cause: error });
  } finally {
    await handle.close();
  }
  throw new BundleError("The bundle holds no files, or only empty ones");
}

async function addUp(reader: FileReader, size: number, signal: AbortSignal): Promise<number> {
  const archive = await yauzl.fromRandomAccessReaderPromise(reader, size, { lazyEntries: true });
  // Without a listener, a late error would end the process. It has already been reported for an entry.
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

/** Read ahead in larger pieces, because an entry table consists of hundreds of small adjacent ones. */
const windowBytes = 65_536;

/** Yauzl's reader throws for offsets beyond the file where nobody can catch it; here this is an ordinary error. */
class FileReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #fail: (error: unknown) => void;
  #window = { start: 0, bytes: Buffer.alloc(0) };

  /** The caller closes `file`; `fail` receives what yauzl throws. */
  constructor(file: FileHandle, size: number, fail: (error: unknown) => void) {
    super();
    this.#file = file;
    this.#size = size;
    this.#fail = fail;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#bytes(position, length)
      .then(
        (bytes) => callback(null, bytes.copy(buffer, offset)),
        (error: unknown) => callback(error instanceof Error ? error : new Error("the archive cannot be read")),
      )
      .catch(this.#fail);
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0 && position + length <= this.#size)) throw new RangeError("beyond the end of the archive");
    const { start, bytes } = this.#window;
    if (position < start || position + length > start + bytes.length) {
      const window = Buffer.alloc(Math.min(Math.max(length, windowBytes), this.#size - position));
      const { bytesRead } = await this.#file.read(window, 0, window.length, position);
      this.#window = { start: position, bytes: window.subarray(0, bytesRead) };
    }
    const from = position - this.#window.start;
    return this.#window.bytes.subarray(from, from + length);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
