import "server-only";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Question, Reply } from "@/lib/apps/directory/answers/worker";
import { workerFile } from "@/lib/platform/process/worker-file";

/** Longest answer that is parsed where it arrives, in bytes: it takes about two milliseconds. */
const maxInPlace = 256 * 1024;
/** An idle worker is kept for the next page, this many milliseconds. */
const idleMs = 10_000;
const maxMegabytes = 256;

let worker: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let tail: Promise<unknown> = Promise.resolve();

/**
 * The parsed body of an answer of the directory; undefined when it is no JSON. One that is longer than 256 kB is parsed
 * in a worker, of which only the wanted list and what the answer says about itself come back (`processes.md` N10).
 *
 * @param bytes not to be used afterwards
 * @param list the member of `data` that is wanted; null: none is
 * @throws when the worker ends, e.g. because it needs too much memory
 */
export function readAnswer(bytes: Uint8Array, list: string | null): Promise<unknown> {
  if (bytes.length <= maxInPlace) return Promise.resolve(parseJson(Buffer.from(bytes).toString("utf8")));
  const read = tail.then(() => readInWorker(bytes, list));
  tail = read.catch(() => undefined);
  return read;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function readInWorker(bytes: Uint8Array, list: string | null): Promise<unknown> {
  clearTimeout(idle);
  const own = (worker ??= startWorker());
  own.ref();
  try {
    const head = await ask(own, { kind: "read", bytes, list });
    if (head.kind !== "head") throw new Error("the worker gave elements before it was asked for them");
    if (list === null || !head.hasList) return head.body;
    const items: unknown[] = [];
    for (;;) {
      const more = await ask(own, { kind: "more" });
      if (more.kind !== "items" || more.items.length === 0) break;
      items.push(...more.items);
      // What else waits comes first: elements are taken in between other work.
      await setImmediate();
    }
    return { ...(head.body as object), data: { [list]: items } };
  } finally {
    own.unref();
    idle = setTimeout(() => {
      if (worker === own) worker = null;
      void own.terminate();
    }, idleMs).unref();
  }
}

/** Rejects when the worker fails or ends instead. */
async function ask(own: Worker, question: Question): Promise<Reply> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(own, "exit", { signal }).then(() => {
    throw new Error("the worker ended");
  });
  ended.catch(() => undefined);
  const answered = once(own, "message", { signal });
  const transfer =
    question.kind === "read" && question.bytes.buffer instanceof ArrayBuffer ? [question.bytes.buffer] : [];
  own.postMessage(question, transfer);
  try {
    const [reply] = (await Promise.race([answered, ended])) as [Reply];
    return reply;
  } finally {
    over.abort();
  }
}

function startWorker(): Worker {
  const started = new Worker(/* turbopackIgnore: true */ workerFile("directory-answer-worker"), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
  const forget = () => {
    if (worker === started) worker = null;
  };
  started.on("error", forget);
  started.on("exit", forget);
  return started;
}
