import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepBackup } from "@/lib/platform/backup/commands";
import { requireRestorable } from "@/lib/platform/backup/restore";
import { listTaskNames } from "@/lib/jobs/task-names";
import { silentReport } from "@/lib/platform/process/task-report";
import { loadSettings } from "@/lib/platform/settings";
import { AuditEventModel } from "@/models/audit-event";
import { firstData } from "@/test/support/content";
import { testContext, withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const parent = temporaryFolder();
const folder = path.join(parent, "kept");
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => firstData(false));
const keep = (day: number, max: number, report = silentReport) =>
  keepBackup({ folder, keep: max }, testContext, report, new Date(Date.UTC(2026, 4, day, 1, 0, 7)));
const nameOf = (day: number) => `open-policy-2026-05-0${day}-01-00-07.backup.gz`;

describe("X12: the scheduled backup", () => {
  it("keeps so many backups that can be restored, and no file of another name is touched", async () => {
    await keep(1, 2);
    writeFileSync(path.join(folder, "open-policy-notes.txt"), "mine");
    await keep(2, 2);
    expect((await keep(3, 2)).removed).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual([nameOf(2), nameOf(3), "open-policy-notes.txt"]);
    for (const day of [2, 3]) await requireRestorable(path.join(folder, nameOf(day)));
    const event = await AuditEventModel.findOne({ action: "backup.keep" }).sort({ _id: -1 }).lean();
    expect(event?.after).toMatchObject({ file: nameOf(3), removed: 1 });
  });

  it("reads what it wrote: one that is damaged is removed, and the older ones stay", async () => {
    await keep(1, 1);
    const damage = () => {
      const file = path.join(folder, nameOf(2));
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.subarray(0, bytes.length - 100));
    };
    const phase = (words: string) => {
      if (words === "reading it again") damage();
    };
    await expect(keep(2, 1, { ...silentReport, phase })).rejects.toThrow("ends too early");
    expect(readdirSync(folder)).toEqual([nameOf(1)]);
  });

  it("is a task of the embedded database alone, and only with BACKUP_DIR", () => {
    const hasTask = () => listTaskNames(loadSettings()).includes("backup");
    useSettings({});
    expect(hasTask()).toBe(false);
    useSettings({ BACKUP_DIR: folder });
    expect(hasTask()).toBe(true);
    useSettings({ BACKUP_DIR: folder, MONGODB_URI: "mongodb://host/db" });
    expect(hasTask()).toBe(false);
  });
});
