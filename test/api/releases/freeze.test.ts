import { expect, it } from "vitest";
import { groupFamily } from "@/lib/records/groups/commands";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { beginRelease, recordRelease } from "@/lib/records/publishing/record-release";
import { AuditEventModel } from "@/models/audit-event";
import { ReleaseModel } from "@/models/release";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { callRoute } from "@/test/support/route-calls";
import { store, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
const put = async (body: object) => (await callRoute("PUT /api/v1/releases/freeze", { body })).data.freeze;
const freeze = (from: string, to: string) => put({ from, to, reason: "Fair" });
const promote = () => promoteRecords([{ family: groupFamily }], { force: true }, testContext);

it("L14: while a freeze lasts nothing is published, and everybody is told why", async () => {
  await store((tx) => storeGroup(tx, { name: "A" }));
  const set = await freeze(inHours(-1), inHours(1));
  expect(set).toMatchObject({ reason: "Fair", is_active: true });
  expect((await callRoute("GET /api/v1/releases/freeze")).data).toEqual({ freeze: set });
  await expect(promote()).rejects.toMatchObject({
    code: "conflict",
    message: `Publishing is frozen until ${String(set.to)}: Fair`,
    data: { freeze: { reason: "Fair" } },
  });
  expect(await ReleaseModel.countDocuments()).toBe(0);
});

it("L14: a return stays possible", async () => {
  await freeze(inHours(-1), inHours(1));
  await store(async (tx) => recordRelease(tx, await beginRelease(tx, "return"), { returnedTo: 1 }, []));
  expect(await ReleaseModel.countDocuments({ kind: "return" })).toBe(1);
});

it("L14: before, afterwards and once it is lifted everything is published", async () => {
  for (const [from, to] of [
    [1, 2],
    [-2, -1],
  ] as const) {
    await store((tx) => storeGroup(tx, { name: "A" }));
    expect((await freeze(inHours(from), inHours(to))).is_active).toBe(false);
    await promote();
  }
  await store((tx) => storeGroup(tx, { name: "A" }));
  await freeze(inHours(-1), inHours(1));
  expect(await put({ reason: null })).toBeNull();
  await promote();
  expect(await ReleaseModel.countDocuments()).toBe(3);
  const events = await AuditEventModel.find({ target: "releases" }).sort({ _id: 1 }).lean();
  expect(events.map(({ action }) => action)).toEqual([
    ...Array<string>(3).fill("releases.freeze"),
    "releases.unfreeze",
  ]);
});
