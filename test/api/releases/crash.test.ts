import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import mongoose from "mongoose";
import { expect, it } from "vitest";
import { findHeads } from "@/lib/db/heads";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { AuditEventModel } from "@/models/audit-event";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { databaseUri, withDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { storeSurroundings } from "@/test/support/releases";
import { stopProcess } from "@/test/support/processes";

withDatabase();

const kinds = ["publish", "return", "scheduled"] as const;
const rounds = Number(process.env.CRASH_ROUNDS ?? runs(18));
/** Every round starts a program, which takes long on a busy machine; no answer at all is what this ends, in milliseconds. */
const patienceMs = 60_000;

/** Kills a publisher somewhere in a step; tells in which it really was. */
async function killPublisher(mark: number, wanted: string): Promise<string> {
  const program = ["--conditions=react-server", "--import", "tsx", "test/support/publisher-process.ts"];
  const args = [...program, databaseUri(), mongoose.connection.name, String(mark)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let step = "";
  const begun = new Promise<void>((resolve) => {
    child.stdout.on("data", (lines: Buffer) => {
      step = lines.toString().trim().split("\n").at(-1) ?? "";
      if (step === wanted) resolve();
    });
  });
  await Promise.race([begun, once(child, "exit")]);
  await wait(Math.random() * 250);
  expect(child.exitCode, "publishes until it is killed").toBeNull();
  await stopProcess(child, "SIGKILL");
  return step;
}

/** What production has of the pair, and which release brought it. */
async function readPair() {
  const headOf = async (family: "groups" | "messages") =>
    (await findHeads(family, "production", { keys: ["Pair"] }))[0]?.id ?? 0;
  const group = await FunctionalGroupModel.findById(await headOf("groups")).lean();
  const message = await ConsumerMessageModel.findById(await headOf("messages")).lean();
  return {
    marks: [group?.description ?? null, message?.languages[0]?.label ?? null],
    releases: [group?.release ?? null, message?.release ?? null],
  };
}

/** Production holds one mark and one release, whose number is the newest; nothing carries a number that was not given. */
async function expectWhole(): Promise<void> {
  const { marks, releases } = await readPair();
  expect(marks[0]).toBe(marks[1]);
  expect(releases[0]).toBe(releases[1]);
  const stored = await ReleaseModel.find({}, { _id: 1 }).sort({ _id: 1 }).lean();
  expect(stored.map(({ _id }) => _id)).toEqual(stored.map((_, index) => index + 1));
  expect(releases[0]).toBe(stored.at(-1)?._id ?? null);
  for (const model of [FunctionalGroupModel, ConsumerMessageModel]) {
    const later = { release: { $gt: stored.length } };
    expect(await mongoose.connection.collection(model.collection.name).countDocuments(later)).toBe(0);
  }
}

/** A scheduled one is either a release or still waiting; afterwards every one that was scheduled is one release. */
async function expectOnce(): Promise<void> {
  const namesOf = async () => (await ReleaseModel.find({ name: /^Due / }).lean()).map(({ name }) => name).sort();
  const waiting = await ScheduledReleaseModel.find({}).lean();
  const released = await namesOf();
  expect(waiting.every(({ name, state }) => state === "waiting" && !released.includes(name))).toBe(true);
  await publishDue(new Date(Date.now() + 3_600_000));
  const names = await namesOf();
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual([...released, ...waiting.map(({ name }) => name)].sort());
  expect(names).toHaveLength(await AuditEventModel.countDocuments({ action: "releases.schedule" }));
  expect(await ScheduledReleaseModel.countDocuments({})).toBe(0);
}

it(
  "L9, L11, L12: a process that is killed while it publishes, returns or has a scheduled release published leaves all of it or nothing, and each scheduled one is published once",
  async () => {
    await storeSurroundings();
    const steps: Record<string, number> = {};
    let waited = 0;
    for (let round = 0; round < rounds; round++) {
      const step = await killPublisher(1 + round * 1000, kinds[round % kinds.length] ?? "publish");
      steps[step] = (steps[step] ?? 0) + 1;
      await expectWhole();
      waited += await ScheduledReleaseModel.countDocuments({});
      await expectOnce();
      await expectWhole();
    }
    if (process.env.CRASH_ROUNDS !== undefined) console.log({ rounds, steps, waited });
    expect(Object.keys(steps).sort()).toEqual([...kinds]);
  },
  rounds * patienceMs,
);
