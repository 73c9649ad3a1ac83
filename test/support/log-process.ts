import { log, nameProcess } from "@/lib/platform/log";
import { dieOnUncaught } from "@/lib/platform/process/die-on-uncaught";
import { droppedLines, endProcess } from "@/lib/platform/log-output";

/* A process that logs on request and responds to each order, which proves that its event loop is running. */

export type Order =
  | { readonly kind: "log"; readonly lines: number }
  | { readonly kind: "end" | "exit" | "throw" | "reject" | "print" };

nameProcess("vehicle-worker-1");
dieOnUncaught();
process.on("message", (order: Order) => {
  obey(order);
  process.send?.({ dropped: droppedLines() });
});
process.send?.("ready");

let count = 0;
function obey(order: Order): void {
  if (order.kind === "log") for (let n = 0; n < order.lines; n++) log.info({ n: count++, filler }, "line");
  else if (order.kind === "end") void endProcess(0);
  else if (order.kind === "exit") exitNow();
  else if (order.kind === "throw") setImmediate(fail);
  else if (order.kind === "reject") void Promise.reject(new Error("mongodb://me:hush@db.example.com/ refuses"));
  else process.emitWarning("be warned");
}

function exitNow(): void {
  log.info("the last words");
  process.exit(0);
}

function fail(): void {
  throw new Error("boom");
}

const filler = "ä".repeat(50);
