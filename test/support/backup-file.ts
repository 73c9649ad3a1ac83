import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, vi } from "vitest";
import { startServer } from "@/embedded/server";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { disconnected, emptyDatabase, withDatabase } from "@/test/support/database";

export function withBackupFile() {
  withDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), "policy-backup-"));
  const file = path.join(folder, "backup.gz");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
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
