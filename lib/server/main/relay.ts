import type { Readable } from "node:stream";
import { maskCredentials } from "@/lib/platform/log";
import { logOutput } from "@/lib/platform/log-output";
import { StringDecoder } from "node:string_decoder";

/** Lines that are no log lines and come within so many milliseconds are one text, e.g. a stack. */
const togetherMs = 100;
/** A longer text, in UTF-16 units, is told in several lines of the log. */
const longestText = 64 * 1024;

interface Child {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

/**
 * Writes a child's output into this log, whole lines only (`processes.md` N13). What is no log line, such as a stack,
 * becomes one. The child never waits: its pipes are read whether or not the log can be written.
 */
export function relayOutput(
  { stdout, stderr }: Child,
  name: string,
  write: (line: string) => void = (line) => logOutput.write(line),
): void {
  if (stdout) relayStream(stdout, () => "info", name, write);
  if (stderr) relayStream(stderr, levelOfText, name, write);
}

function relayStream(
  stream: Readable,
  levelOf: (text: string) => string,
  name: string,
  write: (line: string) => void,
): void {
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    if (text.trim() !== "") {
      const line = { level: levelOf(text), time: new Date().toISOString(), process: name, msg: maskCredentials(text) };
      write(`${JSON.stringify(line)}\n`);
    }
    text = "";
  };
  const lines = new LineSplitter((line) => {
    if (isLogLine(line)) {
      tell();
      write(`${line}\n`);
      return;
    }
    text += text === "" ? line : `\n${line}`;
    if (text.length > longestText) tell();
    else timer ??= setTimeout(tell, togetherMs);
  });
  stream.on("data", (piece: Buffer) => lines.write(piece));
  // A child that is killed breaks its pipes off.
  stream.on("error", () => undefined);
  stream.once("close", () => {
    lines.end();
    tell();
  });
}

/** Warnings of Node come on the same stream as the last words of a process. */
function levelOfText(text: string): "warn" | "error" {
  return /^\(node:\d+\) /.test(text) ? "warn" : "error";
}

function isLogLine(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "level" in value;
  } catch {
    return false;
  }
}

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
