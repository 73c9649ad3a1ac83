import { beforeEach, expect, it } from "vitest";
import { groupFamily } from "@/lib/content/groups/commands";
import { promoteRecords } from "@/lib/gate/publish/promote";
import { beginRelease, recordRelease } from "@/lib/content/releases/record-release";
import { AuditEventModel } from "@/models/audit-event";
import { ReleaseModel } from "@/models/release";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { forgetSettings } from "@/test/support/settings";
import { store, storeGroup } from "@/test/support/stored-records";

withDatabase();
forgetSettings();
beforeEach(emptyDatabase);

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
async function call(method: "GET" | "PUT", body?: object) {
  const { handler } = findRoute(`${method} /api/v1/releases/freeze`);
  const answer = await readAnswer(await handler(aRequest("/api/v1/releases/freeze", { method, body })));
  return { status: answer.meta.code, message: answer.meta.message, freeze: answer.data.freeze };
}
const freeze = (from: string, to: string, reason: string | null = "Fair") => call("PUT", { from, to, reason });
const promote = () => promoteRecords([{ family: groupFamily }], { force: true }, testContext);

it("L14: while a freeze lasts nothing is published, and everybody is told why", async () => {
  await store((tx) => storeGroup(tx, { name: "A" }));
  const set = await freeze(inHours(-1), inHours(1));
  expect(set).toMatchObject({ status: 200, freeze: { reason: "Fair", is_active: true } });
  expect((await call("GET")).freeze).toEqual(set.freeze);
  await expect(promote()).rejects.toMatchObject({
    code: "conflict",
    message: `Publishing is frozen until ${String(set.freeze.to)}: Fair`,
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
    expect((await freeze(inHours(from), inHours(to))).freeze.is_active).toBe(false);
    await promote();
  }
  await store((tx) => storeGroup(tx, { name: "A" }));
  await freeze(inHours(-1), inHours(1));
  expect((await call("PUT", { reason: null })).freeze).toBeNull();
  await promote();
  expect(await ReleaseModel.countDocuments()).toBe(3);
  const events = await AuditEventModel.find({ target: "releases" }).sort({ _id: 1 }).lean();
  expect(events.map(({ action }) => action)).toEqual([
    ...Array<string>(3).fill("releases.freeze"),
    "releases.unfreeze",
  ]);
});

it.each([
  [{ from: "2026-01-01T00:00:00Z", reason: "a" }, /^to /],
  [{ from: "2026-01-01T00:00:00", to: "2026-01-02T00:00:00Z", reason: "a" }, /^from must be a time with its zone/],
  [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z", reason: "a" }, /^to must be later than from/],
  [{ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", reason: " " }, /^reason must say why/],
  [{ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }, /^reason must be a text/],
])("L14: refuses %j by name", async (body, message) => {
  const answer = await call("PUT", body);
  expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(message)]);
  expect((await call("GET")).freeze).toBeNull();
});
