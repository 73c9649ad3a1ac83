import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import fc from "fast-check";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findHeads } from "@/lib/platform/db/heads";
import { watchDeadWriters } from "@/lib/platform/db/writers";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { AuditEventModel } from "@/models/audit-event";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { watchedUri, withDatabase } from "@/test/support/database";
import { runs, seed } from "@/test/support/extent";
import { storeSurroundings } from "@/test/support/releases";
import { stopProcess } from "@/test/support/processes";

withDatabase();

const kinds = ["publish", "return", "scheduled"] as const;
/** As many as are wanted, one of each kind at the least; the seed says which kind begins, and when each kill comes. */
const rounds = Number(process.env.CRASH_ROUNDS ?? runs(18, kinds.length));
const plan = fc.sample(fc.integer({ min: 0, max: 250 }), { numRuns: rounds, seed }).map((moment, index) => {
  return { round: index + 1, kind: kinds[(index + seed) % kinds.length] ?? "publish", moment };
});

/** Beside the packages, which stay outside of the program. */
const folder = mkdtempSync(path.resolve("node_modules/publisher-"));
const program = path.join(folder, "publisher.mjs");

// In one file it starts several times as fast, and every round starts it.
beforeAll(() =>
  build({
    entryPoints: ["test/support/publisher-process.ts"],
    outfile: program,
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" },
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// Where nobody has written after the last kill, its transaction is in the way of whoever removes the database.
afterAll(async () => watchDeadWriters()());

async function killPublisher(mark: number, wanted: string, moment: number): Promise<string> {
  const args = ["--conditions=react-server", program, watchedUri(), mongoose.connection.name, String(mark)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let step = "";
  const begun = new Promise<void>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      step = line;
      if (step === wanted) resolve();
    });
  });
  await Promise.race([begun, closed]);
  await wait(moment);
  expect(child.exitCode, "publishes until it is killed").toBeNull();
  await stopProcess(child, "SIGKILL");
  await closed;
  return step;
}

async function readPair() {
  const headOf = async (family: "group" | "message") =>
    (await findHeads(family, "production", { keys: ["Pair"] }))[0]?.id ?? 0;
  const group = await FunctionalGroupModel.findById(await headOf("group")).lean();
  const message = await ConsumerMessageModel.findById(await headOf("message")).lean();
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

describe("L9, L11, L12: a process that is killed while it publishes, returns or has a scheduled release published leaves all of it or nothing, and each scheduled one is published once", () => {
  const steps: Record<string, number> = {};
  let [kills, waited] = [0, 0];
  const kill = async (wanted: string, moment: number) => {
    const step = await killPublisher(1 + kills++ * 1000, wanted, moment);
    steps[step] = (steps[step] ?? 0) + 1;
    await expectWhole();
    waited += await ScheduledReleaseModel.countDocuments({});
    await expectOnce();
    await expectWhole();
  };
  beforeAll(storeSurroundings);

  it.each(plan)("$round: $moment ms after the beginning of: $kind", async ({ kind, moment }) => {
    await kill(kind, moment);
    // Where the step was over by then, an earlier kill meets it: of each kind there is one at the least.
    for (let earlier = moment / 2; steps[kind] === undefined; earlier /= 2) await kill(kind, earlier);
  });

  it("was so in the middle of each of them", () => {
    if (process.env.CRASH_ROUNDS !== undefined) console.log({ rounds, steps, waited });
    expect(Object.keys(steps).sort()).toEqual([...kinds]);
  });
});
