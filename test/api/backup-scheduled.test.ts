import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepBackup } from "@/lib/platform/backup/commands";
import { requireRestorable } from "@/lib/platform/backup/restore";
import { listTaskNames } from "@/lib/jobs/task-names";
import { silentReport } from "@/lib/platform/process/task-report";
import { drillNewest } from "@/lib/platform/backup/drill-process";
import { tableDigester } from "@/lib/policy/table-digests";
import { AuditEventModel } from "@/models/audit-event";
import { firstData } from "@/test/support/content";
import { testContext, withDatabase } from "@/test/support/database";
import { readSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const parent = temporaryFolder();
const folder = path.join(parent, "kept");
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => firstData(false));
const digest = tableDigester(readSettings({}));
const keep = (day: number, max: number, report = silentReport, hour = 1) =>
  keepBackup({ folder, keep: max, digest }, testContext, report, new Date(Date.UTC(2026, 4, day, hour, 0, 7)));
const nameOf = (day: number, hour = 1) => `open-policy-2026-05-0${day}-0${hour}-00-07.backup.gz`;

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

  it("keeps the last of each day, however often a server restarts, and nothing that a killed one has left", async () => {
    await keep(1, 2);
    const draft = path.join(folder, `${nameOf(1, 2)}.part`);
    writeFileSync(draft, "begun");
    utimesSync(draft, 0, 0);
    for (const hour of [2, 3, 4]) await keep(2, 2, silentReport, hour);
    expect(readdirSync(folder).toSorted()).toEqual([nameOf(1), nameOf(2, 4)]);
  });

  it("X12a: is a task, with a drill, of both kinds of database, and only with BACKUP_DIR", async () => {
    const tasksOf = (settings: Readonly<Record<string, string>>) =>
      listTaskNames(readSettings(settings)).filter((name) => name === "backup" || name === "restore-drill");
    expect(tasksOf({})).toEqual([]);
    for (const other of [{}, { MONGODB_URI: "mongodb://host/db" }]) {
      expect(tasksOf({ BACKUP_DIR: folder, ...other })).toEqual(["backup", "restore-drill"]);
    }
    const { signal } = new AbortController();
    await expect(drillNewest(folder, signal)).rejects.toThrow("BACKUP_DIR has no backup of the last night");
    await keep(1, 1);
    const tomorrow = new Date(Date.now() + 27 * 3_600_000);
    await expect(drillNewest(folder, signal, tomorrow)).rejects.toThrow("it must be a folder that they share");
  });
});
