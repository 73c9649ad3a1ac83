import { beforeEach, describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as promoteGroups from "@/app/api/v1/groups/promote/route";
import * as messages from "@/app/api/v1/messages/route";
import * as promoteMessages from "@/app/api/v1/messages/promote/route";
import * as moduleConfigs from "@/app/api/v1/module/route";
import * as promoteModule from "@/app/api/v1/module/promote/route";
import * as promoteModuleNoId from "@/app/api/v1/module/promoteNoId/route";
import * as vehicleData from "@/app/api/v1/vehicle-data/route";
import * as promoteVehicleData from "@/app/api/v1/vehicle-data/promote/route";
import type { RouteHandler } from "@/app/_api/api-route";
import { AuditEventModel } from "@/models/audit-event";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { ModuleConfigModel } from "@/models/module-config";
import { fetchQuery, raisesRevision, send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { moduleConfigBody } from "@/test/support/module-config";
import { behind } from "@/test/support/stored-records";

/* What versioned records of every family have in common (`api.md` sections 1 and 0.9); what is special is in its file. */

withEmptyDatabase();
beforeEach(() => LanguageModel.create({ _id: 1, languageId: "en-us" }));

const many = runs(100, 20);
type Members = Readonly<Record<string, unknown>>;

const aGroup = (nth: number, members: Members) => ({
  ...{ name: "Thing", is_default: false, description: `edit ${nth}` },
  rpcs: [{ name: "Show", selected: true, hmi_levels: [{ value: "FULL", selected: true }], parameters: [] }],
  ...members,
});
const aMessage = (nth: number, members: Members) => ({
  ...{ message_category: "Thing", is_deleted: false },
  languages: [{ language_id: "en-us", selected: true, tts: `edit ${nth}` }],
  ...members,
});
const anItem = (nth: number, members: Members) => ({
  ...{ name: "Thing", key: `EDIT_${nth}`, type: "Struct" },
  params: ["a", "b"].map((name) => ({ name, key: "K", type: "Integer" })),
  ...members,
});

const families = [
  {
    ...{ area: "groups", member: "groups", target: "group:Thing", model: FunctionalGroupModel },
    ...{ routes: groups, promotions: [promoteGroups.POST], isDeletable: true },
    body: aGroup,
  },
  {
    ...{ area: "messages", member: "messages", target: "message:Thing", model: ConsumerMessageModel },
    ...{ routes: messages, promotions: [promoteMessages.POST], isDeletable: true },
    body: (nth: number, members: Members) => ({ messages: [aMessage(nth, members)] }),
  },
  {
    ...{ area: "vehicle-data", member: "custom_vehicle_data", target: "vehicle-data:Thing" },
    ...{ model: CustomVehicleDataModel, routes: vehicleData, promotions: [promoteVehicleData.POST], isDeletable: true },
    body: anItem,
  },
  {
    ...{ area: "module", member: "module_configs", target: "module_config", model: ModuleConfigModel },
    ...{ routes: moduleConfigs, promotions: [promoteModule.POST, promoteModuleNoId.POST], isDeletable: false },
    body: (nth: number, members: Members) => ({ ...moduleConfigBody, exchange_after_x_days: nth, ...members }),
  },
];

describe.each(families)("section 1: records of $area", (family) => {
  const { area, member, target, routes, body, isDeletable } = family;
  const save = (nth: number, members: Members = {}) => send(routes.POST, body(nth, members));
  const promote = (id?: unknown, handler: RouteHandler = family.promotions[0]!) => send(handler, { id });
  const records = () => behind(family.model).find().sort({ _id: 1 }).toArray();
  const published = () => behind(family.model).countDocuments({ status: "PRODUCTION" });
  const shown = async (query: string) => (await fetchQuery(routes.GET, query)).data[member];
  const newestId = async (): Promise<number> => (await records()).at(-1)?._id;
  const statuses = (answers: readonly { status: number }[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;
  const contentOf = (record: unknown): unknown =>
    JSON.parse(JSON.stringify(record), (key, value) =>
      ["_id", "id", "parentId", "status", "release", "createdAt", "updatedAt"].includes(key) ? undefined : value,
    );

  it("0.9: a save raises the revision and is an event with who, before and after", async () => {
    expect(await raisesRevision(async () => expect((await save(1)).status).toBe(200))).toBe(true);
    const first = await newestId();
    await save(2);
    const second = await newestId();
    const event = { action: `${area}.save`, actor: "admin", route: "POST /api/v1/x", requestId: expect.any(String) };
    expect(await AuditEventModel.find().sort({ _id: 1 }).lean()).toMatchObject([
      { ...event, target, before: null, after: first },
      { ...event, target, before: first, after: second },
    ]);
    const [record] = await records();
    expect(record).toMatchObject({ status: "STAGING", createdAt: expect.any(Date) });
    expect(record.updatedAt).toEqual(record.createdAt);
    expect((await shown("?environment=staging"))[0].id).toBe(second);
  });

  it("base_id: the first of its name and an edit of the newest record pass, with the id as text and without one, too", async () => {
    for (const base of [() => 0, newestId, async () => String(await newestId()), () => null, () => undefined]) {
      expect((await save(1, { base_id: await base() })).status).toBe(200);
    }
    expect(await raisesRevision(async () => expect((await save(1, { base_id: 0 })).status).toBe(409))).toBe(false);
    expect(await records()).toHaveLength(5);
  });

  it("base_id: an edit of an older record is 409 with both contents in the same form, and is not stored", async () => {
    await save(1);
    const old = await newestId();
    await save(2);
    const { status, message, data } = await save(3, { base_id: old });
    expect(status).toBe(409);
    expect(message).toMatch(/ was changed meanwhile; base_id is not its newest record$/);
    expect(data.current).toEqual((await shown(`?environment=staging&id=${await newestId()}`))[0]);
    expect(Object.keys(data.current)).toEqual(expect.arrayContaining(Object.keys(data.submitted)));
    await save(3);
    const [stored] = await shown(`?environment=staging&id=${await newestId()}`);
    const words = (one: unknown) => JSON.stringify(one).match(/edit \d|EDIT_\d|"exchange_after_x_days":\d/gi);
    expect(words(data.submitted)).toEqual(words(stored));
    expect(words(data.current)).not.toEqual(words(stored));
    expect(await records()).toHaveLength(3);
  });

  it("base_id: one of 20 edits of the same record at once wins", async () => {
    await save(1);
    const base_id = await newestId();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => save(nth, { base_id })));
    expect([statuses(answers, 200), statuses(answers, 409)]).toEqual([1, 19]);
    expect(await records()).toHaveLength(2);
  });

  it("loses none of many saves at once, and gives each ids of its own", async () => {
    expect(statuses(await Promise.all(Array.from({ length: many }, (_, nth) => save(nth))), 200)).toBe(many);
    const stored = await records();
    expect(new Set(stored.map((one) => JSON.stringify(contentOf(one)))).size).toBe(many);
    const inside = stored.flatMap((one) => (one.nodes ?? one.languages ?? []).map(({ id }: { id: number }) => id));
    expect(new Set(inside).size).toBe(inside.length);
  });

  it.each(family.promotions)("a promotion copies the whole record under a new id (%#)", async (handler) => {
    await save(1);
    expect(await promote([await newestId()], handler)).toEqual({ status: 200, message: null, data: {} });
    const [saved, copy] = await records();
    expect([saved.status, copy.status]).toEqual(["STAGING", "PRODUCTION"]);
    expect(contentOf(copy)).toEqual(contentOf(saved));
    expect((await shown(""))[0]).toMatchObject({ id: copy._id, status: "PRODUCTION" });
    expect((await shown("?environment=staging"))[0].id).toBe(copy._id);
    const events = await AuditEventModel.find({ action: `${area}.promote` }).lean();
    expect(events).toMatchObject([{ target, before: null, after: copy._id }]);
  });

  it("Δ7: a promotion skips what is unknown, superseded or published, and then changes nothing", async () => {
    const idle = async (...ids: unknown[]) =>
      expect(await raisesRevision(async () => expect((await promote(ids)).status).toBe(200))).toBe(false);
    await idle(1, "2", 999, -4, 0, Number.MAX_SAFE_INTEGER);
    await save(1);
    const superseded = await newestId();
    await save(2);
    const newest = await newestId();
    await promote([superseded, String(newest), newest, 999]);
    expect((await records()).filter(({ status }) => status === "PRODUCTION").map(contentOf)).toEqual(
      (await records()).filter(({ _id }) => _id === newest).map(contentOf),
    );
    await idle(superseded, newest, await newestId());
    await idle();
    expect(await records()).toHaveLength(3);
  });

  it("makes one production record and one event of many promotions at once", async () => {
    await save(1);
    const id = await newestId();
    expect(statuses(await Promise.all(Array.from({ length: many }, () => promote(id))), 200)).toBe(many);
    expect([await published(), await AuditEventModel.countDocuments({ action: `${area}.promote` })]).toEqual([1, 1]);
  });

  it.runIf(isDeletable)("a deletion frees the name once it is published, and not before", async () => {
    const begin = async () => (await save(1, { base_id: 0 })).status;
    const actions = async () =>
      (await AuditEventModel.find({ target }).sort({ _id: 1 }).lean()).map((one) => one.action);
    expect(await begin()).toBe(200);
    await promote(await newestId());
    expect((await save(1, { base_id: await newestId(), is_deleted: true })).status).toBe(200);
    const deletion = await newestId();
    expect(await begin()).toBe(409);
    expect([(await shown("")).length, (await shown("?environment=staging")).length]).toEqual([1, 1]);
    // Without any group there is no table that head units take.
    expect((await send(family.promotions[0]!, { id: deletion, force: true })).status).toBe(200);
    expect([await shown(""), await shown("?environment=staging")]).toEqual([[], []]);
    expect((await save(1, { base_id: deletion })).status).toBe(409);
    expect(await begin()).toBe(200);
    expect(await actions()).toEqual(["save", "promote", "delete", "promote", "save"].map((one) => `${area}.${one}`));
  });
});
