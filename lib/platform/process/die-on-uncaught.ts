import { log } from "@/lib/platform/log";
import { endProcess } from "@/lib/platform/log-output";

/** Logs an uncaught error and ends this process (`processes.md` N13). `survivesRejections`: Next leaves some unhandled. */
export function dieOnUncaught({ survivesRejections = false } = {}): void {
  let isEnding = false;
  const die = (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    log.fatal({ err: error }, "uncaught error: this process ends");
    void endProcess(1);
  };
  process.on("uncaughtException", die);
  const tell = (error: unknown) => log.error({ err: error }, "unhandled promise rejection");
  process.on("unhandledRejection", survivesRejections ? tell : die);
}
