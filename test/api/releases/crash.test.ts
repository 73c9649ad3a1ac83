import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import mongoose from "mongoose";
import { expect, it } from "vitest";
import { findHeads } from "@/lib/db/heads";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { databaseUri, withDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { storeSurroundings } from "@/test/support/releases";
import { stopProcess } from "@/test/support/processes";

withDatabase();

const rounds = Number(process.env.CRASH_ROUNDS ?? runs(12));
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

it(
  "L9, L12: a process that is killed while it publishes or returns leaves all of it or nothing",
  async () => {
    await storeSurroundings();
    const steps = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      steps.add(await killPublisher(1 + round * 1000, round % 2 === 0 ? "publish" : "return"));
      const { marks, releases } = await readPair();
      expect(marks[0]).toBe(marks[1]);
      expect(releases[0]).toBe(releases[1]);
      const stored = await ReleaseModel.find({}, { _id: 1 }).sort({ _id: 1 }).lean();
      expect(stored.map(({ _id }) => _id)).toEqual(stored.map((_, index) => index + 1));
      expect(releases[0]).toBe(stored.at(-1)?._id ?? null);
      for (const model of [FunctionalGroupModel, ConsumerMessageModel]) {
        expect(
          await mongoose.connection
            .collection(model.collection.name)
            .countDocuments({ release: { $gt: stored.length } }),
        ).toBe(0);
      }
    }
    expect([...steps].sort()).toEqual(["publish", "return"]);
  },
  rounds * patienceMs,
);
