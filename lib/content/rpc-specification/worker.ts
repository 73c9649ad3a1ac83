/**
 * Entry of the worker that reads one RPC specification and ends: parsing takes longer than a vehicle may wait for its
 * answer. `read-document.ts` starts it.
 */
import { parentPort, workerData } from "node:worker_threads";
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
parentPort?.postMessage(answer(workerData as ReadingRequest));
