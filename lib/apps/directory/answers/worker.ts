/**
 * Entry of the worker that reads large answers of the app directory, one at a time; `reader.ts` starts it. It hands the
 * elements over a few at a time, each time it is asked: taking them all in at once would hold up the other side.
 */
import { parentPort } from "node:worker_threads";
import { splitAnswer } from "@/lib/apps/directory/answers/split-answer";

/** What the worker is asked for. */
export type Question =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly list: string | null }
  /** The next elements of the answer that was read last. */
  | { readonly kind: "more" };

/** What it answers. */
export type Reply =
  | { readonly kind: "head"; readonly body: unknown; readonly hasList: boolean }
  /** None: these were all. */
  | { readonly kind: "items"; readonly items: readonly unknown[] };

const perReply = 25;
let waiting: readonly unknown[] = [];

function answer(question: Question): Reply {
  if (question.kind === "read") {
    const { body, items } = splitAnswer(Buffer.from(question.bytes).toString("utf8"), question.list);
    waiting = items ?? [];
    return { kind: "head", body, hasList: items !== null };
  }
  const items = waiting.slice(0, perReply);
  waiting = waiting.slice(perReply);
  return { kind: "items", items };
}

// The one who starts it is a file of the same build.
parentPort?.on("message", (question: Question) => parentPort?.postMessage(answer(question)));
