/** The embedded database: MongoDB's protocol on a socket in `DATA_DIR`, for evaluation and tests (`processes.md`). */
import path from "node:path";
import { startServer } from "@/embedded/server";
import { createFigures } from "@/lib/platform/process/process-figures";
import { log, nameProcess } from "@/lib/platform/log";
import { followMain, joinMain, refuseToStart, sendToMain } from "@/lib/platform/process/channel";
import { boundHeapGrowth } from "@/lib/platform/process/collect-garbage";
import { dieOnUncaught } from "@/lib/platform/process/die-on-uncaught";
import { sendFigures } from "@/lib/platform/process/figures-channel";
import { loadSettingsOf } from "@/lib/platform/settings";

nameProcess("database");
joinMain();
dieOnUncaught();
boundHeapGrowth();
try {
  const folder = path.join(loadSettingsOf("database").dataDir, "database");
  const server = await startServer({ dataDir: folder, report: (event) => log.warn({ event }, "embedded database") });
  followMain(async () => {
    await server.close();
    return 0;
  });
  const figures = createFigures("database");
  sendFigures((names) => figures.collect(names));
  sendToMain({ kind: "ready", address: server.uri, pid: process.pid });
} catch (error) {
  refuseToStart([error instanceof Error ? error.message : "unknown failure"]);
}
