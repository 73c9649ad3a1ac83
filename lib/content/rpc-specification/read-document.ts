import "server-only";
import { Worker } from "node:worker_threads";
import { SpecificationRefused } from "@/lib/content/rpc-specification/errors";
import type { ReadingAnswer, ReadingName, Readings } from "@/lib/content/rpc-specification/worker-tasks";
import { workerFile } from "@/lib/platform/process/worker-file";

/** A document of half a megabyte takes well below a second. */
const deadlineMs = 60_000;
const maxMegabytes = 512;

/**
 * Reads what is wanted out of the text of an RPC specification, on a thread of its own with a bound on time and memory.
 *
 * @throws SpecificationRefused
 */
export async function readDocument<Name extends ReadingName>(wanted: Name, text: string): Promise<Readings[Name]> {
  const worker = new Worker(/* turbopackIgnore: true */ workerFile("rpc-specification-worker"), {
    workerData: { wanted, text },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
  try {
    const answer = await answerOf(worker);
    if ("problem" in answer) throw new SpecificationRefused(answer.problem);
    // The worker answers with what `Readings` says; both sides are one build.
    return answer.output as Readings[Name];
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<ReadingAnswer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new SpecificationRefused("The RPC specification takes too much time or memory to read"));
    const timer = setTimeout(fail, deadlineMs);
    worker.once("message", resolve);
    worker.once("error", fail);
    worker.once("exit", () => {
      clearTimeout(timer);
      fail();
    });
  });
}
