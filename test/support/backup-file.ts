import { rmSync } from "node:fs";
import path from "node:path";
import { beforeEach, vi } from "vitest";
import { startServer } from "@/embedded/server";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { disconnected, emptyDatabase, withDatabase } from "@/test/support/database";
import { temporaryFolder } from "@/test/support/temporary-folder";

export function withBackupFile() {
  withDatabase();
  const folder = temporaryFolder();
  const file = path.join(folder, "backup.gz");
  beforeEach(async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    await emptyDatabase();
    rmSync(file, { force: true });
  });
  return { folder, file };
}

export function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  return disconnected(async () => {
    const server = await startServer({ dataDir: path.join(dataDir, "database") });
    await connect({ uri: server.uri, dbName: "policy_server" });
    try {
      return await work();
    } finally {
      await disconnect();
      await server.close();
    }
  });
}
