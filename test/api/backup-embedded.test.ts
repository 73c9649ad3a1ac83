import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { startServer } from "@/embedded/server";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { restoreFolder } from "@/lib/platform/backup/restore-folder";
import { inDataDir, withBackupFile } from "@/test/support/backup-file";
import { content, withoutTrail, firstData } from "@/test/support/content";
import { disconnected } from "@/test/support/database";
import { servedTables } from "@/test/support/served-tables";

const { folder, file } = withBackupFile();

describe("X11: the embedded database", () => {
  const dataDir = path.join(folder, "data");
  const start = (dir: string) => startServer({ dataDir: dir });
  const options = { file, dataDir, databaseName: "policy_server", start, now: new Date(0) };
  const restoring = (replace: boolean) => disconnected(() => restoreFolder({ ...options, replace }));
  const inFolder = <T>(work: () => Promise<T>) => inDataDir(dataDir, work);
  beforeEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it("is restored whole into an empty folder, and needs --replace for one with data, which stays beside it", async () => {
    await firstData();
    const [before, tables] = [await content(), await servedTables()];
    await writeBackupFile(file);
    expect((await restoring(false)).before).toBeNull();
    expect(withoutTrail(await inFolder(content))).toEqual(withoutTrail(before));
    expect(await inFolder(servedTables)).toEqual(tables);
    await expect(restoring(false)).rejects.toThrow("holds data already: --replace");
    const { before: aside } = await restoring(true);
    expect(aside).toBe(path.join(dataDir, "database.replaced-1970-01-01T00-00-00-000Z"));
    expect(readdirSync(dataDir).toSorted()).toEqual(["database", path.basename(aside ?? "")]);
    expect(withoutTrail(await inFolder(content))).toEqual(withoutTrail(before));
  });

  it("is left as it is by a file that is no whole backup, and while a server uses the folder", async () => {
    await firstData();
    await writeBackupFile(file);
    await restoring(false);
    const server = await start(path.join(dataDir, "database"));
    await expect(restoring(true)).rejects.toThrow(/is in use by process \d+/);
    await server.close();
    writeFileSync(file, readFileSync(file).subarray(0, -500));
    await expect(restoring(true)).rejects.toThrow("ends too early");
    expect(readdirSync(dataDir)).toEqual(["database"]);
  });
});
