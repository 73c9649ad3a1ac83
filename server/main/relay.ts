import type { Readable } from "node:stream";
import { log, maskCredentials } from "@/lib/platform/log";
import { logOutput } from "@/lib/platform/log-output";
import { StringDecoder } from "node:string_decoder";

const togetherMs = 100;
const longestText = 64 * 1024;

interface Child {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

/** Copies a child's output in whole lines (`processes.md` N13), text only if the log has its level. Always reads its pipes, so it never blocks. */
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
  levelOf: (text: string) => "info" | "warn" | "error",
  name: string,
  write: (line: string) => void,
): void {
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    const level = levelOf(text);
    if (text.trim() !== "" && log.isLevelEnabled(level)) {
      const line = { level, time: new Date().toISOString(), process: name, msg: maskCredentials(text) };
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
  // A killed child breaks its pipes.
  stream.on("error", () => undefined);
  stream.once("close", () => {
    lines.end();
    tell();
  });
}

/** Node's warnings and the last words of a process share one stream. */
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

/** Longer lines are cut, because endless output must not fill the memory. UTF-16 units. */
const longestLine = 256 * 1024;

export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #isSkipping = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(piece: Buffer): void {
    this.#take(this.#decoder.write(piece));
  }

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
