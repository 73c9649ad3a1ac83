/** The embedded database: MongoDB's protocol on a socket in `DATA_DIR`, for trying out and for tests (`processes.md`). */
import path from "node:path";
import { startServer } from "@/embedded/server";
import { createFigures } from "@/lib/process/process-figures";
import { log, nameProcess } from "@/lib/log";
import { followMain, joinMain, refuseToStart, tellMain } from "@/lib/process/channel";
import { dieOnUncaught } from "@/lib/process/die-on-uncaught";
import { tellFigures } from "@/lib/process/tell-figures";
import { loadSettings } from "@/lib/settings";

nameProcess("database");
joinMain();
dieOnUncaught();
try {
  const folder = path.join(loadSettings().dataDir, "database");
  const server = await startServer({ dataDir: folder, report: (event) => log.warn({ event }, "embedded database") });
  followMain(async () => {
    await server.close();
    return 0;
  });
  tellFigures(() => createFigures("database").collect());
  tellMain({ kind: "ready", address: server.uri, pid: process.pid });
} catch (error) {
  refuseToStart([error instanceof Error ? error.message : "unknown failure"]);
}
