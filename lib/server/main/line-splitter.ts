import { StringDecoder } from "node:string_decoder";

/** A longer line, in UTF-16 units, is cut: whoever writes without an end must not fill the memory. */
const longestLine = 256 * 1024;

export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #isSkipping = false;

  /** @param onLine gets each line without its line feed; of one that is too long the beginning */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(piece: Buffer): void {
    this.#take(this.#decoder.write(piece));
  }

  /** What came after the last line feed is a line as well. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#rest !== "") this.#onLine(this.#rest);
    this.#rest = "";
  }

  #take(text: string): void {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      if (!this.#isSkipping) this.#onLine(this.#rest + line);
      this.#isSkipping = false;
      this.#rest = "";
    }
    if (this.#isSkipping) return;
    this.#rest += last;
    if (this.#rest.length <= longestLine) return;
    this.#onLine(`${this.#rest.slice(0, longestLine)}…`);
    this.#rest = "";
    this.#isSkipping = true;
  }
}
