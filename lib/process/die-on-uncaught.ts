import { log } from "@/lib/log";
import { endProcess } from "@/lib/process/log-output";

/**
 * An error that nobody caught is one line of the log and the end of this process with status 1 (`processes.md` N13):
 * what it left half done nobody knows, and `main` starts another. The same for a promise whose rejection nobody handles.
 */
export function dieOnUncaught(): void {
  let isEnding = false;
  const die = (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    log.fatal({ err: error }, "an error that nobody caught ends this process");
    void endProcess(1);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}
