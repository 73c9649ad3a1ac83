import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { log } from "@/lib/platform/log";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { saveFreeze } from "@/lib/records/publishing/freeze";
import { listScheduled, moveScheduled, scheduleRelease } from "@/lib/releases/schedule/commands";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { reviewed } from "@/test/support/releases";
import { callRoute } from "@/test/support/route-calls";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

withEmptyDatabase();

const ann = { ...testContext, displayName: "Ann" };
const save = (name: string, members: object = {}) =>
  saveGroup(saveGroupBody.parse({ name, is_default: false, rpcs: [], ...members }), ann);
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);
const request = { items: "all", name: "Fair", note: null, force: true, reason: "tested" } as const;
const schedule = (hours = 1) => scheduleRelease(request, inHours(hours), ann);
const published = () => ReleaseModel.find({ kind: "release" }).lean();
const movedReason = "The reviewed items have changed; nothing was published";

async function damage(_id: number) {
  const raw = rawCollection(ScheduledReleaseModel);
  const items = (await raw.findOne({ _id }))?.["items"];
  const [first, ...others] = Array.isArray(items) ? items : [];
  await raw.updateOne({ _id }, { $set: { items: [{ ...first, family: "app", key: 5 }, ...others] } });
}

afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
  await save("A");
});

describe("the routes", () => {
  const publish = (members: object) => callRoute("POST /api/v1/releases", { body: { ...request, ...members } });
  const scheduled = async () => (await callRoute("GET /api/v1/releases/scheduled")).data.scheduled;
  const move = (id: number, at: string) =>
    callRoute("PATCH /api/v1/releases/scheduled/{id}", { params: { id: `${id}` }, body: { at } });
  const cancel = (id: number) => callRoute("DELETE /api/v1/releases/scheduled/{id}", { params: { id: `${id}` } });
  const later = () => inHours(5).toISOString();

  it("L11: keep what was reviewed for that time, and publish nothing", async () => {
    const items = await reviewed();
    // The zone is another than that of the answer.
    const at = inHours(24).toISOString().replace("Z", "+02:00");
    const { status, data } = await publish({ items, note: "as agreed", at });
    expect(status).toBe(200);
    expect(data).toEqual({
      scheduled: [
        {
          ...{ id: 1, state: "waiting", name: "Fair", note: "as agreed", items, stopped_because: null, rollout: null },
          at: new Date(at).toISOString(),
          author: expect.objectContaining({ actor: "admin" }),
        },
      ],
    });
    expect(await scheduled()).toEqual(data.scheduled);
    expect(await published()).toEqual([]);
  });

  it("L11: without a time, also null, it is published now", async () => {
    // Release 1 is the module config, which was there before.
    expect(await publish({ at: null })).toMatchObject({ status: 200, data: { release: { number: 2 } } });
  });

  it("L10: a dry run with a time tells what publishing would do, and keeps nothing", async () => {
    const answer = await publish({ at: later(), dry_run: true });
    expect(answer).toMatchObject({ status: 200, data: { release: { number: 2 }, effect: { apps_changed: 0 } } });
    expect([await scheduled(), await published()]).toEqual([[], []]);
  });

  it("L6, L8, L11: refuse items that have moved since the review, and what is blocked already", async () => {
    const items = await reviewed();
    await save("A", { is_default: true });
    const moved = await publish({ items, at: later() });
    expect(moved).toMatchObject({ status: 409, data: { moved: [{ family: "group", key: "A" }] } });
    await store((tx) => storeGroup(tx, { name: "Asking", userConsentPrompt: "Asked" }));
    const { status, data } = await publish({ at: later() });
    expect(status).toBe(409);
    expect(data.checks).toContainEqual(expect.objectContaining({ level: "block" }));
    expect(await scheduled()).toEqual([]);
  });

  it("L11: move one to another time", async () => {
    const { id } = await schedule(1);
    const at = later();
    expect(await move(id, at)).toMatchObject({ status: 200, data: { scheduled: [{ id, at, state: "waiting" }] } });
    await publishDue(inHours(4));
    expect(await published()).toEqual([]);
    await publishDue(inHours(6));
    expect(await published()).toHaveLength(1);
    expect((await move(id, later())).status).toBe(404);
  });

  it("L11: cancel one, which is not published then; one that is published or was never there is 404", async () => {
    const { id } = await schedule();
    expect((await cancel(id)).status).toBe(200);
    expect(await cancel(id)).toMatchObject({ status: 404, message: `There is no scheduled release ${id}` });
    await publishDue(inHours(2));
    expect([await scheduled(), await published()]).toEqual([[], []]);
    const other = await schedule();
    await publishDue(inHours(2));
    expect((await cancel(other.id)).status).toBe(404);
    expect(await published()).toHaveLength(1);
  });
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

it("L11: a head that has moved, also by an earlier one, stops it with the reason and without anything published", async () => {
  await schedule();
  const { id } = await schedule(2);
  expect(await publishDue(inHours(3))).toEqual([{ id, name: "Fair", reason: movedReason }]);
  expect(await listScheduled()).toMatchObject([{ id, state: "stopped", stopped_because: movedReason }]);
  expect([await publishDue(inHours(4)), await published()]).toMatchObject([[], [{ items: [{ key: "A" }] }]]);
  expect(await AuditEventModel.findOne({ action: "releases.stop" }).lean()).toMatchObject({ after: movedReason });
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
  expect(await publishDue(inHours(3))).toMatchObject([{ reason: movedReason }]);
  expect(await published()).toEqual([]);
  expect(logged.mock.calls).toMatchObject([[{ scheduled: waiting.id, err: gone }, expect.any(String)]]);
  find.mockRestore();
  expect(await listScheduled()).toMatchObject([{ state: "stopped" }, { id: waiting.id, state: "waiting" }]);
  await publishDue(inHours(3));
  expect(await published()).toHaveLength(1);
});

it("L11, L14: a time in a freeze is refused with its reason, for a new one and for one that is moved; no other, also while it lasts", async () => {
  const { id } = await schedule(1);
  const freeze = (from: number) => saveFreeze({ from: inHours(from), to: inHours(5), reason: "Holidays" }, ann);
  const refusal = { code: "conflict", message: expect.stringMatching(/frozen until .*: Holidays$/) };
  for (const [from, is_active] of [
    [2, false],
    [-1, true],
  ] as const) {
    await freeze(from);
    await expect(schedule(3)).rejects.toMatchObject({
      ...refusal,
      data: { freeze: { reason: "Holidays", is_active } },
    });
    await expect(moveScheduled(id, inHours(4), ann)).rejects.toMatchObject(refusal);
  }
  expect(await listScheduled()).toMatchObject([{ id, state: "waiting" }]);
  expect(await moveScheduled(id, inHours(6), ann)).toMatchObject({ state: "waiting" });
  expect(await schedule(7)).toMatchObject({ state: "waiting" });
});

it("L11: the time must be ahead, and at most 90 days", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await expect(schedule(0)).rejects.toThrow("at must be in the future");
  vi.useRealTimers();
  const tooFar = "at is too far ahead: schedule at most 90 days in advance";
  await expect(schedule(90 * 24 + 1)).rejects.toThrow(tooFar);
  const { id } = await schedule(90 * 24 - 1);
  await expect(moveScheduled(id, inHours(91 * 24), ann)).rejects.toThrow(tooFar);
  expect((await listScheduled()).map((one) => one.id)).toEqual([id]);
});
