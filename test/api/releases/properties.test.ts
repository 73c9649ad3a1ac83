import fc from "fast-check";
import { expect, it } from "vitest";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { recordItems } from "@/lib/records/families";
import { namesOf } from "@/lib/vocabulary/members";
import { AppError } from "@/lib/platform/errors";
import { testContext, withDatabase } from "@/test/support/database";
import { atLeast, runs } from "@/test/support/extent";
import {
  beginWithFirstRelease,
  publish,
  review,
  reviewed,
  rpcBody,
  stageGroup,
  stageMessage,
  stageVehicleData,
} from "@/test/support/releases";
import { callRoute } from "@/test/support/route-calls";
import { compileAside } from "@/lib/policy/compile-aside";
import { buildPreview } from "@/lib/policy/preview";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";

type Edit =
  | { readonly kind: "message"; readonly name: string; readonly isDeleted: boolean; readonly text: string }
  | { readonly kind: "data"; readonly name: string; readonly isDeleted: boolean; readonly type: string }
  | {
      readonly kind: "group";
      readonly name: string;
      readonly isDeleted: boolean;
      readonly prompt: string | null;
      readonly parameter: string | null;
      readonly level: string;
    };

const messageNames = ["Seats", "Doors"];
const dataNames = ["heat", "scent"];
const isDeleted = fc.nat(3).map((number) => number === 0);

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant("message" as const),
    name: fc.constantFrom(...messageNames),
    isDeleted,
    text: fc.constantFrom("one", "two"),
  }),
  fc.record({
    kind: fc.constant("data" as const),
    name: fc.constantFrom(...dataNames),
    isDeleted,
    type: fc.constantFrom("Integer", "Float"),
  }),
  fc.record({
    kind: fc.constant("group" as const),
    name: fc.constantFrom("G1", "G2", "G3"),
    isDeleted,
    prompt: fc.option(fc.constantFrom(...messageNames)),
    parameter: fc.option(fc.constantFrom(...dataNames)),
    level: fc.constantFrom("FULL", "NONE"),
  }),
);

async function saveEdits(edits: readonly Edit[]): Promise<void> {
  for (const edit of edits) {
    // A group without its prompt is not saved, which is fine here.
    await saveEdit(edit).catch((error: unknown) => {
      if (!String(error).includes("400 ")) throw error;
    });
  }
}

async function saveEdit(edit: Edit): Promise<void> {
  const { name } = edit;
  const deletion = { is_deleted: edit.isDeleted };
  if (edit.kind === "message") {
    const languages = [{ language_id: "en-us", selected: true, label: edit.text }];
    return stageMessage(name, { ...deletion, languages });
  }
  if (edit.kind === "data") return stageVehicleData(name, { ...deletion, type: edit.type });
  const rpcs = [rpcBody("GetVehicleData", [edit.level], edit.parameter === null ? ["gps"] : ["gps", edit.parameter])];
  return stageGroup(name, { ...deletion, user_consent_prompt: edit.prompt, rpcs });
}

async function readProductionTable(): Promise<unknown> {
  const policy = await compileAside(await createSnapshotLoader().load(), "production");
  const [{ policy_table }] = JSON.parse(JSON.stringify(buildPreview(policy))) as [{ policy_table: Stamped }];
  const { vehicle_data, consumer_friendly_messages: messages, ...others } = policy_table;
  return { ...others, items: vehicle_data.schema_items, messages: messages.messages };
}

interface Stamped {
  readonly vehicle_data: { readonly schema_items: unknown };
  readonly consumer_friendly_messages: { readonly messages: unknown };
}

withDatabase();

const someEdits = fc.array(anEdit, { minLength: 2, maxLength: 7 });
const insist = { force: true, reason: "whatever is found" };

async function begin(history: Parameters<typeof saveEdits>[0]): Promise<void> {
  await beginWithFirstRelease();
  await saveEdits(history);
  await publish({ items: "all", ...insist });
}

async function promoteOneByOne(items: Awaited<ReturnType<typeof reviewed>>): Promise<boolean> {
  let left = items;
  for (;;) {
    const refused: typeof left = [];
    for (const item of left) {
      const name = namesOf(recordItems).find((one) => one === item.family);
      if (name === undefined) throw new Error("apps are not promoted one by one");
      const promotion = { family: recordItems[name], ids: [item.id] };
      await promoteRecords([promotion], { force: true }, testContext).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        refused.push(item);
      });
    }
    if (refused.length === 0) return true;
    if (refused.length === left.length) return false;
    left = refused;
  }
}

it("L9: publishing a random set equals promoting the same items one by one in a valid order", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(someEdits, someEdits, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), async (...all) => {
      const [history, edits, chosen] = all;
      const choose = async () => {
        await begin(history);
        await saveEdits(edits);
        return (await reviewed()).filter((_, at) => chosen[at] === true);
      };
      const items = await choose();
      if (items.length === 0) return;
      const { status, data } = await publish({ items, ...insist });
      const published = await readProductionTable();
      const again = await choose();
      const isPromoted = await promoteOneByOne(again);
      if (status === 200) {
        if (!isPromoted) return;
        expect(published).toEqual(await readProductionTable());
        compared++;
        return;
      }
      // A single promotion lets vehicle data go under the groups that allow it; nothing else tells them apart.
      const rules = new Set(data.checks.flatMap((check: any) => (check.level === "block" ? check.rule : [])));
      if (isPromoted) expect([...rules]).toEqual(["vehicle data in use"]);
    }),
    { numRuns: runs(36) },
  );
  expect(compared).toBeGreaterThan(atLeast(9));
});

it("L12: a return gives the table of its release again, stamps aside, and loses no staged edit", async () => {
  let returned = 0;
  const histories = fc.array(someEdits, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(histories, someEdits, fc.nat(9), async (history, waiting, target) => {
      await beginWithFirstRelease();
      const tables = [await readProductionTable()];
      for (const edits of history) {
        await saveEdits(edits);
        if ((await publish({ items: "all", ...insist })).status === 200) tables.push(await readProductionTable());
      }
      await saveEdits(waiting);
      const n = (target % tables.length) + 1;
      const before = await reviewAll();
      const { status } = await callRoute("POST /api/v1/releases/{n}/return", { params: { n: `${n}` }, body: insist });
      expect(await readProductionTable()).toEqual(status === 200 ? tables[n - 1] : tables.at(-1));
      expect(await reviewAll()).toEqual(before);
      if (status === 200) returned++;
    }),
    { numRuns: runs(36) },
  );
  expect(returned).toBeGreaterThan(atLeast(9));
});

async function reviewAll() {
  const contents = await Promise.all(
    (await review()).items.map(async ({ family, key, id, author, at }) => {
      const name = namesOf(recordItems).find((one) => one === family);
      const records = name === undefined ? null : recordItems[name];
      const [record] = (await records?.load([id])) ?? [];
      return { family, key, author, at, body: record === undefined ? null : records?.toBody(record) };
    }),
  );
  return contents.toSorted((a, b) => `${a.family}${a.key}`.localeCompare(`${b.family}${b.key}`));
}
