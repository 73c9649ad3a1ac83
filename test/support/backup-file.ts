import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { forgetSettings } from "@/test/support/settings";

/** For tests of backups: an empty database before each test, and a path for its backup. */
export function withBackupFile() {
  withDatabase();
  forgetSettings();
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
