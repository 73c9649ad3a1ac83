import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saveGroup } from "@/lib/content/groups/commands";
import { saveGroupBody } from "@/lib/content/groups/schema";
import { log } from "@/lib/platform/log";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { saveFreeze } from "@/lib/content/releases/freeze";
import { cancelScheduled, listScheduled, moveScheduled, scheduleRelease } from "@/lib/gate/schedule/commands";
import { publishDue } from "@/lib/gate/schedule/publish-due";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { forgetSettings } from "@/test/support/settings";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

withDatabase();
forgetSettings();

const ann = { ...testContext, displayName: "Ann" };
const save = (name: string, members: object = {}) =>
  saveGroup(saveGroupBody.parse({ name, is_default: false, rpcs: [], ...members }), ann);
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);
const request = { items: "all", name: "Fair", note: null, force: true, reason: "tested" } as const;
const schedule = (hours = 1) => scheduleRelease(request, inHours(hours), ann);
const published = () => ReleaseModel.find({ kind: "release" }).lean();

/** Makes one that fails whenever it is published, for a reason that nobody has foreseen. */
async function damage(_id: number) {
  const raw = rawCollection(ScheduledReleaseModel);
  const items = (await raw.findOne({ _id }))?.["items"];
  const [first, ...others] = Array.isArray(items) ? items : [];
  await raw.updateOne({ _id }, { $set: { items: [{ ...first, family: "app", key: 5 }, ...others] } });
}

afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  await emptyDatabase();
  await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
  await save("A");
});

it("L11: what is due is published once, however many instances look, by who has scheduled it", async () => {
  await schedule();
  expect(await publishDue(new Date())).toEqual([]);
  expect(await published()).toEqual([]);
  await Promise.all([publishDue(inHours(2)), publishDue(inHours(2)), publishDue(inHours(2))]);
  expect(await published()).toMatchObject([
    { name: "Fair", author: { actor: "schedule", displayName: "Ann" }, items: [{ family: "group", key: "A" }] },
  ]);
  expect(await listScheduled()).toEqual([]);
  expect(await FunctionalGroupModel.countDocuments({ status: "PRODUCTION", name: "A" })).toBe(1);
});

it("L11: a head that has moved stops it, with the reason and without anything published", async () => {
  await schedule();
  await save("A", { is_default: true });
  const stopped = await publishDue(inHours(2));
  const reason = "The reviewed items have changed; nothing was published";
  expect(stopped).toMatchObject([{ name: "Fair", reason }]);
  expect(await listScheduled()).toMatchObject([{ state: "stopped", stopped_because: reason }]);
  expect([await publishDue(inHours(3)), await published()]).toEqual([[], []]);
  expect(await AuditEventModel.findOne({ action: "releases.stop" }).lean()).toMatchObject({ after: reason });
});

it("L11, L14: a freeze stops it with its reason; moved to a later time it waits again", async () => {
  const { id } = await schedule();
  await saveFreeze({ from: inHours(-1), to: inHours(5), reason: "Holidays" }, ann);
  expect((await publishDue(inHours(2)))[0]?.reason).toMatch(/frozen until .*: Holidays$/);
  await saveFreeze(null, ann);
  expect(await moveScheduled(id, inHours(6), ann)).toMatchObject({ state: "waiting", stopped_because: null });
  await publishDue(inHours(5));
  expect(await published()).toEqual([]);
  await publishDue(inHours(7));
  expect(await published()).toHaveLength(1);
});

it("L11: a finding that was not there when it was scheduled stops it", async () => {
  const rpcs = [{ name: "RegisterAppInterface", levels: ["FULL", "NONE"], parameters: [] }];
  await store((tx) => storeGroup(tx, { name: "Base", status: "PRODUCTION", isDefault: true, rpcs }));
  await save("Base", { is_deleted: true });
  const { id } = await schedule();
  const { findings } = (await ScheduledReleaseModel.findById(id).lean()) ?? {};
  expect(findings?.length).toBeGreaterThan(0);
  await ScheduledReleaseModel.updateOne({ _id: id }, { $set: { findings: [] } });
  expect((await publishDue(inHours(2)))[0]?.reason).toMatch(/^There is a new finding: /);
  expect(await published()).toEqual([]);
});

it("L11: one that fails every time holds up no other; it is said aloud, and given up when it is not over in a moment", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const bad = await schedule(1);
  await damage(bad.id);
  const moved = await schedule(2);
  await save("B");
  const good = await schedule(3);
  await save("A", { is_default: true });
  const items = [{ family: "group" as const, key: "B", id: good.items[1]?.id ?? 0 }];
  const later = await scheduleRelease({ ...request, items, name: "Later" }, inHours(3), ann);
  // At its time: whatever it is, it may be over soon.
  expect(await publishDue(new Date(Date.parse(bad.at) + 1_000))).toEqual([]);
  expect(logged.mock.calls.map(([facts]) => facts)).toMatchObject([{ scheduled: bad.id, err: expect.any(TypeError) }]);
  expect(await listScheduled()).toMatchObject([{ id: bad.id, state: "waiting" }, {}, {}, {}]);

  const reason = "The server failed while it published this; its log tells why";
  const stopped = await publishDue(inHours(4));
  expect(stopped.map(({ id }) => id)).toEqual([bad.id, moved.id, good.id]);
  expect(stopped[0]).toMatchObject({ id: bad.id, reason });
  expect(await published()).toMatchObject([{ name: "Later", items: [{ key: "B" }] }]);
  expect((await listScheduled()).map(({ id }) => id)).not.toContain(later.id);
  expect((await listScheduled())[0]).toMatchObject({ id: bad.id, state: "stopped", stopped_because: reason });
  const event = { action: "releases.stop", target: `scheduled:${bad.id}` };
  expect(await AuditEventModel.findOne(event).lean()).toMatchObject({ after: reason });
  expect(await publishDue(inHours(5))).toEqual([]);
});

it("L11: what is not published because of the database stays due, and what was stopped before is told", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await schedule(1);
  await save("A", { is_default: true });
  const waiting = await schedule(2);
  const find = vi.spyOn(ScheduledReleaseModel, "findById");
  const gone = new DatabaseUnavailable("The database cannot be reached.");
  find.mockImplementation(((id: number) => {
    if (id === waiting.id) throw gone;
    return ScheduledReleaseModel.findOne({ _id: id });
  }) as typeof ScheduledReleaseModel.findById);
  expect(await publishDue(inHours(3))).toMatchObject([{ reason: expect.stringMatching(/items have changed/) }]);
  expect(logged.mock.calls).toMatchObject([[{ scheduled: waiting.id, err: gone }, expect.any(String)]]);
  find.mockRestore();
  expect(await listScheduled()).toMatchObject([{ state: "stopped" }, { id: waiting.id, state: "waiting" }]);
  await publishDue(inHours(3));
  expect(await published()).toHaveLength(1);
});

it("L11, L14: a time in a freeze is refused with its reason, for a new one and for one that is moved", async () => {
  const { id } = await schedule(1);
  await saveFreeze({ from: inHours(2), to: inHours(5), reason: "Holidays" }, ann);
  const refusal = { code: "conflict", message: expect.stringMatching(/frozen until .*: Holidays$/) };
  await expect(schedule(3)).rejects.toMatchObject({ ...refusal, data: { freeze: { is_active: false } } });
  await expect(moveScheduled(id, inHours(4), ann)).rejects.toMatchObject(refusal);
  expect(await listScheduled()).toMatchObject([{ id, state: "waiting" }]);
  expect(await moveScheduled(id, inHours(6), ann)).toMatchObject({ state: "waiting" });
});

it("L11: what is taken off is not published", async () => {
  const { id } = await schedule();
  await cancelScheduled(id, ann);
  await publishDue(inHours(2));
  expect([await listScheduled(), await published()]).toEqual([[], []]);
  await expect(cancelScheduled(id, ann)).rejects.toThrow(`There is no scheduled release ${id}`);
});

it("L11: the time must be ahead, and at most 90 days", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await expect(schedule(0)).rejects.toThrow("at must be in the future");
  vi.useRealTimers();
  await expect(schedule(90 * 24 + 1)).rejects.toThrow("at is too far ahead: schedule at most 90 days in advance");
  const { id } = await schedule(90 * 24 - 1);
  await expect(moveScheduled(id, inHours(91 * 24), ann)).rejects.toThrow(
    "at is too far ahead: schedule at most 90 days in advance",
  );
  expect((await listScheduled()).map((one) => one.id)).toEqual([id]);
});
