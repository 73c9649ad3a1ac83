import { beforeEach, describe, expect, it } from "vitest";
import { publishDue } from "@/lib/gate/schedule/publish-due";
import { ReleaseModel } from "@/models/release";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { publish, publishFirst, reviewed, stageGroup, stageMessage } from "@/test/support/releases";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { forgetSettings } from "@/test/support/settings";

withDatabase();
forgetSettings();

async function call(name: string, body?: object, id = "") {
  const { handler, method } = findRoute(name);
  const request = aRequest("/api/v1/x", { method, ...(body && { body }) });
  const answer = await readAnswer(await handler(request, { params: Promise.resolve({ id }) }));
  return { status: answer.meta.code, message: answer.meta.message, data: answer.data };
}
const scheduled = async () => (await call("GET /api/v1/releases/scheduled")).data.scheduled;
const move = (id: number | string, body: object) => call("PATCH /api/v1/releases/scheduled/{id}", body, String(id));
const cancel = (id: number | string) => call("DELETE /api/v1/releases/scheduled/{id}", undefined, String(id));
const freeze = (from: string, to: string) => call("PUT /api/v1/releases/freeze", { from, to, reason: "Holidays" });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const due = (hours: number) => publishDue(new Date(inHours(hours)));
const countReleases = () => ReleaseModel.countDocuments();

beforeEach(async () => {
  await emptyDatabase();
  await publishFirst();
  await stageGroup("Later");
});

describe("POST releases with at", () => {
  it("L11: keeps what was reviewed for that time, and publishes nothing", async () => {
    const items = await reviewed();
    // The zone is another than that of the answer.
    const at = inHours(24).replace("Z", "+02:00");
    const answer = await publish({ items, name: "Fair", note: "as agreed", at });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      scheduled: [
        {
          ...{ id: 1, state: "waiting", name: "Fair", note: "as agreed", items, stopped_because: null },
          at: new Date(at).toISOString(),
          author: expect.objectContaining({ actor: "admin" }),
        },
      ],
    });
    expect(await scheduled()).toEqual((answer.data as { scheduled: object[] }).scheduled);
    expect(await countReleases()).toBe(1);
  });

  it.each([
    [-1, "at must be in the future"],
    [90 * 24 + 1, "at is too far ahead: schedule at most 90 days in advance"],
  ])("L11: refuses a time %d hours from now", async (hours, message) => {
    expect(await publish({ items: "all", at: inHours(hours) })).toMatchObject({ status: 400, message });
    expect(await scheduled()).toEqual([]);
  });

  it.each(["tomorrow", "2026-03-01", "2026-03-01T06:00:00", "2026-13-01T06:00:00Z", "", 1_700_000_000_000, {}, true])(
    "L11: refuses %j, which is no time with a zone",
    async (at) => {
      const message = "at must be a time with its zone, e.g. 2026-03-01T06:00:00Z";
      expect(await publish({ items: "all", at })).toMatchObject({ status: 400, message });
      expect([await scheduled(), await countReleases()]).toEqual([[], 1]);
    },
  );

  it("L11: without a time, also null, it is published now", async () => {
    expect(await publish({ items: "all", at: null })).toMatchObject({ status: 200, data: { release: { number: 2 } } });
  });

  it("L10: a dry run with a time tells what publishing would do, and keeps nothing", async () => {
    const answer = await publish({ items: "all", at: inHours(1), dry_run: true });
    expect(answer).toMatchObject({ status: 200, data: { release: { number: 2 }, effect: { apps_changed: 0 } } });
    expect([await scheduled(), await countReleases()]).toEqual([[], 1]);
  });

  it("L14: refuses a time in a freeze, with its reason; before and after it takes any, also while it lasts", async () => {
    await freeze(inHours(-1), inHours(2));
    const refused = await publish({ items: "all", at: inHours(1) });
    expect(refused).toMatchObject({ status: 409, data: { freeze: { reason: "Holidays", is_active: true } } });
    expect(refused.message).toMatch(/^Publishing is frozen until .*: Holidays$/);
    expect((await publish({ items: "all", at: inHours(3) })).status).toBe(200);
    expect(await scheduled()).toHaveLength(1);
  });

  it("L8, L11: refuses items that have moved since the review, with who moved them", async () => {
    const items = await reviewed();
    await stageGroup("Later", { is_default: true });
    const refused = await publish({ items, at: inHours(1) });
    expect(refused).toMatchObject({ status: 409, data: { moved: [{ family: "group", key: "Later" }] } });
    expect(await scheduled()).toEqual([]);
  });

  it("L6, L11: refuses what is blocked already", async () => {
    await stageMessage("Asked");
    await stageGroup("Asking", { user_consent_prompt: "Asked" });
    const refused = await publish({ items: await reviewed("group:Asking"), at: inHours(1) });
    expect(refused.status).toBe(409);
    expect((refused.data as { checks: object[] }).checks).toContainEqual(expect.objectContaining({ level: "block" }));
    expect(await scheduled()).toEqual([]);
  });

  it("L11: of two for one item the first is published, and the second stopped with the reason", async () => {
    for (const [name, hours] of Object.entries({ First: 1, Second: 2 })) {
      expect((await publish({ items: "all", name, at: inHours(hours) })).status).toBe(200);
    }
    const stopped = await due(3);
    const reason = "The reviewed items have changed; nothing was published";
    expect(stopped).toEqual([{ id: 2, name: "Second", reason }]);
    expect((await ReleaseModel.find({}).sort({ _id: 1 }).lean()).map(({ name }) => name)).toEqual(["First", "First"]);
    expect(await scheduled()).toMatchObject([{ id: 2, state: "stopped", stopped_because: reason }]);
  });
});

describe("one scheduled release", () => {
  const schedule = async () => {
    const { data } = await publish({ items: "all", name: "Fair", at: inHours(1) });
    return (data as { scheduled: { id: number }[] }).scheduled[0]?.id ?? 0;
  };

  it("L11: is moved to another time, with the same limits", async () => {
    const id = await schedule();
    const later = inHours(5);
    const moved = await move(id, { at: later });
    expect(moved).toMatchObject({ status: 200, data: { scheduled: [{ id, at: later, state: "waiting" }] } });
    expect(await move(id, { at: inHours(-1) })).toMatchObject({ status: 400, message: "at must be in the future" });
    expect(await move(id, { at: "soon" })).toMatchObject({ status: 400 });
    expect(await move(id, {})).toMatchObject({ status: 400 });
    await freeze(inHours(6), inHours(8));
    expect((await move(id, { at: inHours(7) })).status).toBe(409);
    expect(await scheduled()).toMatchObject([{ id, at: later }]);
    await due(4);
    expect(await countReleases()).toBe(1);
    await due(6);
    expect(await countReleases()).toBe(2);
  });

  it("L11: is cancelled; one that is published or was never there is 404", async () => {
    const id = await schedule();
    expect((await cancel(id)).status).toBe(200);
    expect(await cancel(id)).toMatchObject({ status: 404, message: `There is no scheduled release ${id}` });
    const other = await schedule();
    await due(2);
    expect((await cancel(other)).status).toBe(404);
    expect((await move(other, { at: inHours(3) })).status).toBe(404);
    expect(await cancel("x")).toMatchObject({ status: 400, message: "id must be that of a scheduled release" });
    expect(await countReleases()).toBe(2);
  });
});
