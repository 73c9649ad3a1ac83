import fc from "fast-check";
import { expect } from "vitest";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { loadSnapshotAsOf } from "@/lib/releases/publish/as-of";
import { recordItems } from "@/lib/records/families";
import { findNewestRelease } from "@/lib/releases/queries";
import { findHeadIds } from "@/lib/platform/db/heads";
import { ApplicationModel } from "@/models/application";
import { compiled } from "@/test/support/answers";
import { firstData } from "@/test/support/content";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { daily, runs } from "@/test/support/extent";
import { randomStep } from "@/test/support/random-walk";
import { rpcBody } from "@/test/support/releases";
import { callRoute } from "@/test/support/route-calls";

withDatabase();

async function serve(snapshot: PolicySnapshot, apps: readonly string[]): Promise<string> {
  const policy = await compiled(snapshot, "production");
  const request = { apps: apps.map((uuid) => [uuid, {}] as const), fullAppIdSupported: true, isOlder: false };
  return Buffer.concat(joinPlain(buildAnswer(policy, request, "id")).buffers).toString();
}

async function send(name: string, body: object): Promise<void> {
  const { status, message } = await callRoute(name, { body });
  expect(status, `${name}: ${String(message)}`).toBeLessThan(500);
}

/** Publishes some of what waits; what the rules refuse waits on. */
async function promoteSome(mask: number): Promise<void> {
  const families = Object.values(recordItems);
  const promotions = await Promise.all(
    families.map(async (family) => {
      const ids = await findHeadIds(family, "staging");
      return { family, ids: ids.filter((id) => ((mask >> (id % 31)) & 1) === 1) };
    }),
  );
  await promoteRecords(promotions, { force: true }, testContext).catch(() => undefined);
}

const edits = randomStep.filter(({ kind }) => kind === "send");
const history = fc.array(fc.record({ edits: fc.array(edits, { minLength: 1, maxLength: 3 }), mask: fc.nat() }), {
  minLength: 32,
  maxLength: 36,
});

daily("L3: the table as of a release is byte for byte what was served when it was published", async () => {
  const property = fc.asyncProperty(history, async (turns) => {
    await emptyDatabase();
    await firstData();
    const apps = (await ApplicationModel.distinct("uuid")).toSorted();
    const loader = createSnapshotLoader();
    const served = new Map([[1, await serve(await loader.load(), apps)]]);
    for (const [turn, { edits: steps, mask }] of turns.entries()) {
      for (const step of steps) if (step.kind === "send") await send(step.route, step.body);
      // Something that can be published in every turn.
      const rpcs = [rpcBody(`Call${turn}`, ["FULL"])];
      await send("POST /api/v1/groups", { name: "Tick", is_default: true, rpcs });
      await promoteSome(mask);
      await send("POST /api/v1/groups/promote", { id: (await findHeadIds("group", "staging")).at(-1), force: true });
      served.set(await findNewestRelease(), await serve(await loader.load(), apps));
    }
    expect(served.size).toBeGreaterThanOrEqual(30);
    const today = await loader.load();
    for (const [release, table] of served) {
      expect(await serve(await loadSnapshotAsOf(release, today), apps), `release ${release}`).toBe(table);
    }
    expect(new Set(served.values()).size).toBeGreaterThan(20);
  });
  await fc.assert(property, { numRuns: runs(3), endOnFailure: true });
});
