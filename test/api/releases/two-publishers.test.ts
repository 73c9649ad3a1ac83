import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import mongoose from "mongoose";
import { afterAll, expect, it } from "vitest";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { runs } from "@/test/support/extent";
import { databaseUri, withDatabase } from "@/test/support/database";
import { stopProcess } from "@/test/support/processes";
import { publishFirst, reviewed, stageGroup, stageMessage } from "@/test/support/releases";

withDatabase();

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

async function startPublisher(count: number): Promise<(items: object) => Promise<string[]>> {
  const program = ["--conditions=react-server", "--import", "tsx", "test/support/competing-publisher.ts"];
  const args = [...program, databaseUri(), mongoose.connection.name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  ends.push(() => stopProcess(child, "SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  const [ready] = await once(lines, "line");
  expect(ready).toBe("ready");
  return async (items) => {
    child.stdin.write(`${JSON.stringify(items)}\n`);
    const [outcomes] = await once(lines, "line");
    return JSON.parse(String(outcomes)) as string[];
  };
}

it("L8, L9: of many publications of one review at once, by two processes on one database, one is a release", async () => {
  await publishFirst();
  await stageMessage("Fair");
  await stageGroup("Fair", { user_consent_prompt: "Fair" });
  const items = await reviewed();
  expect(items).toHaveLength(2);
  const each = runs(50, 10);
  const publishers = [await startPublisher(each), await startPublisher(each)];
  const outcomes = (await Promise.all(publishers.map((publish) => publish(items)))).flat();
  const refusal = "409 The reviewed items have changed; nothing was published";
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  expect({ released: count("release 2"), refused: count(refusal), all: outcomes.length }).toEqual({
    ...{ released: 1, refused: 2 * each - 1, all: 2 * each },
  });
  expect((await ReleaseModel.find({}).sort({ _id: 1 }).lean()).map(({ _id }) => _id)).toEqual([1, 2]);
  expect(await FunctionalGroupModel.countDocuments({ name: "Fair", status: "PRODUCTION" })).toBe(1);
  expect(await AuditEventModel.countDocuments({ action: "releases.publish" })).toBe(2);
});
