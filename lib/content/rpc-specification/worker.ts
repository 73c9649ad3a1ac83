/**
 * Entry of the worker that reads one RPC specification: parsing takes longer than a vehicle may wait for its answer.
 * `commands.ts` starts and ends it.
 */
import { parentPort } from "node:worker_threads";
import { isSpecificationRefused } from "@/lib/content/rpc-specification/errors";
import { type ReadingAnswer, type ReadingRequest, readings } from "@/lib/content/rpc-specification/worker-tasks";
import { readXml } from "@/lib/content/rpc-specification/xml";

function answer({ wanted, text }: ReadingRequest): ReadingAnswer {
  try {
    return { output: readings[wanted](readXml(text)) };
  } catch (error) {
    if (isSpecificationRefused(error)) return { problem: error.message };
    throw error;
  }
}

// The one who starts it is a file of the same build.
parentPort?.on("message", (request: ReadingRequest) => parentPort?.postMessage(answer(request)));
