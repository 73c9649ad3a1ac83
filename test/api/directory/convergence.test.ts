import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import mongoose from "mongoose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { createDirectoryClient } from "@/lib/apps/directory/client/client";
import { startFaultyDirectory, type FaultyDirectory } from "@/test/support/faulty-directory/start";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import { silentReport } from "@/lib/platform/process/task-report";
import { saveNotification } from "@/lib/apps/directory/queue/webhook-commands";
import { log } from "@/lib/platform/log";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { databaseUri, emptyDatabase, withDatabase } from "@/test/support/database";
import { directoryContext, plainProcessing } from "@/test/support/directory";
import { blacklistedUuids, expectedApps, storedApps } from "@/test/support/directory-state";
import { daily, runs } from "@/test/support/extent";
import { eventually } from "@/test/support/vehicle";

withDatabase();
let directory: FaultyDirectory;
let announced: { action: string; uuid: string }[];
beforeEach(() => {
  // What is malformed or does not answer is meant to be so here.
  for (const level of ["warn", "error"] as const) vi.spyOn(log, level).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function open(apps: number): Promise<void> {
  await emptyDatabase();
  directory = await startFaultyDirectory({ apps });
  announced = [];
  directory.apps.onChange(({ action, record }) => announced.push({ action, uuid: record.uuid }));
}
const notify = (event: { action: string; uuid: string }) => saveNotification({ entity: "application", ...event });
const client = () => createDirectoryClient(directory.endpoint, { deadlineMs: 5_000, repeatAfterMs: [] });
const isQueueEmpty = async () => (await WebhookJobModel.countDocuments()) === 0;

const changes = ["change", "spoil", "repair", "delete", "blacklist", "unblacklist", "add"] as const;
type Change = (typeof changes)[number];
/** One step of a run; `pick` chooses an app, a notification or a pause. */
const step = fc.record({
  kind: fc.constantFrom(...changes, ...changes, "deliver", "deliver", "deliver", "repeat", "sync", "fault", "pause"),
  pick: fc.nat(1_000_000),
});

function makeChange(kind: Change, pick: number): void {
  const { apps } = directory;
  const app = apps.at(pick % apps.count);
  const isGone = typeof app.deleted_ts === "string";
  if (kind === "add") apps.add({ name: `Added ${pick}` });
  else if (isGone) return;
  else if (kind === "change") apps.change(app.uuid, { name: `Changed ${pick}` });
  else if (kind === "spoil") apps.change(app.uuid, { default_hmi_level: "SPOILT" });
  else if (kind === "repair") apps.change(app.uuid, { default_hmi_level: "HMI_NONE" });
  else apps[kind](app.uuid);
}

daily(
  "whatever happens in whatever order, the records end as the directory has them: with changes, notifications in any order and more than once, synchronisations and failing calls",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        await open(120);
        const reader = client();
        const worker = startApplicationJobs({ ...plainProcessing, client: () => reader, pollMs: 10, delays: [20] });
        const underWay: Promise<unknown>[] = [];
        const sync = () => syncApplications(directoryContext, reader, silentReport, plainProcessing);
        const delivered: typeof announced = [];
        const deliver = (pick: number) => {
          const [event] = announced.splice(pick % Math.max(1, announced.length), 1);
          if (event === undefined) return;
          delivered.push(event);
          underWay.push(notify(event));
        };
        try {
          // It may meet a failing call.
          underWay.push(sync().catch(() => undefined));
          for (const { kind, pick } of steps) {
            if (kind === "deliver") deliver(pick);
            else if (kind === "repeat") announced.push(...delivered.slice(pick % (delivered.length + 1)).slice(0, 1));
            else if (kind === "sync") underWay.push(sync().catch(() => undefined));
            else if (kind === "fault")
              directory.faults.set({ kind: "status", path: "application", times: 1 + (pick % 3) });
            else if (kind === "pause") await wait(pick % 30);
            else makeChange(kind, pick);
          }
          await Promise.all(underWay.splice(0));
          directory.faults.clear();
          underWay.push(sync());
          for (const app of [...directory.apps.all()]) {
            if (app["default_hmi_level"] === "SPOILT") makeChange("repair", [...directory.apps.all()].indexOf(app));
          }
          while (announced.length > 0) deliver(steps[announced.length]?.pick ?? 0);
          await Promise.all(underWay);
          await eventually(isQueueEmpty);
        } finally {
          await worker.stop();
          await directory.close();
        }
        const banned = await blacklistedUuids();
        const isBanned = (uuid: string) => banned.includes(uuid);
        const present = Object.entries(expectedApps(directory)).filter(([uuid]) => !isBanned(uuid));
        const stored = Object.entries(await storedApps()).filter(([uuid]) => !isBanned(uuid));
        expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(present));
        const all = [...directory.apps.all()];
        const blacklisted = all.filter(({ blacklisted_ts }) => typeof blacklisted_ts === "string");
        const isDeleted = ({ deleted_ts }: (typeof all)[number]) => typeof deleted_ts === "string";
        expect(banned).toEqual(
          expect.arrayContaining(blacklisted.filter((app) => !isDeleted(app)).map(({ uuid }) => uuid)),
        );
        const gone = all.filter(isDeleted).map(({ uuid }) => uuid);
        expect(await ApplicationModel.countDocuments({ uuid: { $in: gone } })).toBe(0);
        expect(await ApplicationModel.countDocuments({ isLatest: true })).toBe(
          (await ApplicationModel.distinct("uuid")).length,
        );
      }),
      { numRuns: runs(8), endOnFailure: true },
    );
  },
);

it("a process that is killed again and again: loses no notification, no change and no decision", async () => {
  await open(300);
  const args = ["--conditions=react-server", "--import", "tsx", "test/support/directory-process.ts"];
  const start = (): ChildProcess =>
    spawn(process.execPath, [...args, databaseUri(), mongoose.connection.name, JSON.stringify(directory.endpoint)], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, LOG_LEVEL: "error" },
    });
  let child = start();
  const kill = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  try {
    for (let round = 0; round < 4; round++) {
      await eventually(async () => (await ApplicationModel.countDocuments()) > 0);
      for (let change = 0; change < 40; change++) {
        makeChange(changes[(change * 7 + round) % 2 === 0 ? 0 : 6], change * 13 + round);
        if (change % 10 === 0) makeChange("delete", change * 31 + round);
      }
      for (const { action, uuid } of announced.splice(0)) {
        if (action === "UPSERT") await queueApplication(uuid);
        else await notify({ action, uuid });
      }
      await wait(40 * round);
      await kill();
      child = start();
    }
    const isInStep = async () => JSON.stringify(await storedApps()) === JSON.stringify(expectedApps(directory));
    await eventually(async () => (await isQueueEmpty()) && (await isInStep()));
    await eventually(async () => (await FeedbackModel.countDocuments()) === 0);
  } finally {
    await kill();
    await directory.close();
  }
  expect(await storedApps()).toEqual(expectedApps(directory));
  for (const { uuid, versionId } of await ApplicationModel.find({ isLatest: true }).lean()) {
    expect(directory.approvals.find(versionId ?? 0)).toMatchObject({ uuid, status: "ACCEPTED" });
  }
});
