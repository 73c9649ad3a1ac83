import type { FileHandle } from "node:fs/promises";
import yauzl from "yauzl";

/** Read at once: an entry table is hundreds of small pieces one behind the other. */
const windowBytes = 65_536;

/**
 * Gives an archive's bytes to yauzl. Its own reader hands every offset that stands in the archive to the file system,
 * which throws for one beyond all files, out of a callback where nobody can catch it. Here it is an error like any
 * other, and so is whatever yauzl throws while it looks at the bytes.
 */
export class FileReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #fail: (error: unknown) => void;
  #window = { start: 0, bytes: Buffer.alloc(0) };

  /**
   * @param file stays the caller's to close
   * @param fail told what yauzl throws
   */
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
