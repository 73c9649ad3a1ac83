import { beforeEach, describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as promote from "@/app/api/v1/groups/promote/route";
import { AuditEventModel } from "@/models/audit-event";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { runs } from "@/test/support/extent";
import { fetchQuery, raisesRevision, send } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { forgetSettings } from "@/test/support/settings";
import {
  store,
  storeGroup,
  storeMessage,
  storePermission,
  storeRpcSpecification,
  storeVehicleData,
} from "@/test/support/stored-records";

/** Requests at once. */
const many = runs(100, 20);

withDatabase();
forgetSettings();
beforeEach(() => emptyDatabase());

const done = { status: 200, message: null, data: {} };
const level = (value: unknown, selected: unknown = true) => ({ value, selected });
const anRpcBody = (partial: Record<string, unknown> = {}) => ({
  name: "Show",
  selected: true,
  hmi_levels: [level("FULL")],
  parameters: [],
  ...partial,
});
const aBody = (partial: Record<string, unknown> = {}) => ({
  name: "Base",
  is_default: false,
  rpcs: [anRpcBody()],
  ...partial,
});
const save = (partial: Record<string, unknown> = {}) => send(groups.POST, aBody(partial));
const publish = (body: unknown) => send(promote.POST, body);
const records = (filter: Record<string, unknown> = {}) => FunctionalGroupModel.find(filter).sort({ _id: 1 }).lean();

describe("POST groups (11.4)", () => {
  it("adds a staging record with every member", async () => {
    await store((tx) => storeMessage(tx, "Location", "STAGING"));
    const flags = {
      is_default: true,
      is_pre_data_consent: true,
      is_device: true,
      is_app_provider_group: true,
      is_administrator_group: true,
      is_widget_group: true,
      is_proprietary_group: true,
      encryption_required: true,
    };
    const texts = { name: "  Base ", description: "All", user_consent_prompt: "Location" };
    expect(await save({ ...flags, ...texts, id: 7, status: "PRODUCTION", selected_prompt_id: 9 })).toEqual(done);
    const { data } = await fetchQuery(groups.GET, "?id=1&environment=staging");
    expect(data.groups[0]).toMatchObject({
      ...flags,
      ...texts,
      id: 1,
      name: "Base",
      status: "STAGING",
      is_deleted: false,
      selected_prompt_status: "STAGING",
      selected_rpc_count: 1,
    });
    const [record] = await records();
    expect(record?.createdAt).toBeInstanceOf(Date);
    expect(record?.updatedAt).toEqual(record?.createdAt);
  });

  it("fills what is absent with false and null", async () => {
    await save({ user_consent_prompt: "" });
    expect((await records())[0]).toMatchObject({
      description: null,
      userConsentPrompt: null,
      isDeleted: false,
      isPreDataConsent: false,
      encryptionRequired: false,
    });
  });

  it("drops what is not selected and RPCs without a level, and merges doubles", async () => {
    const parameter = (key: string, selected = true) => ({ key, selected });
    await save({
      rpcs: [
        anRpcBody({ hmi_levels: [level("FULL"), level("NONE", false), level("FULL")], parameters: [parameter("a")] }),
        anRpcBody({ name: "Hidden", selected: false }),
        anRpcBody({ name: "Mute", hmi_levels: [level("FULL", false)], parameters: [parameter("a")] }),
        anRpcBody({
          hmi_levels: [level("LIMITED")],
          parameters: [parameter("b"), parameter("c", false), parameter("b")],
        }),
      ],
    });
    expect((await records())[0]?.rpcs).toEqual([{ name: "Show", levels: ["FULL", "LIMITED"], parameters: ["a", "b"] }]);
  });

  it("takes a fetched group back", async () => {
    await store(async (tx) => {
      await storePermission(tx, "Show");
      await storePermission(tx, "text", "PARAMETER", ["Show"]);
      await storeGroup(tx, { name: "A", rpcs: [{ name: "Show", levels: ["NONE"], parameters: ["text"] }] });
    });
    const { data } = await fetchQuery(groups.GET, "?id=1");
    expect(await send(groups.POST, data.groups[0])).toEqual(done);
    const again = await fetchQuery(groups.GET, "?id=2");
    expect(again.data.groups[0]).toEqual({ ...data.groups[0], id: 2 });
  });

  it("0.2: stores names with dots and dollars as plain data", async () => {
    const name = "$where.a.b";
    expect(
      await save({ name, rpcs: [anRpcBody({ name: "$set.x", parameters: [{ key: "a.$b", selected: true }] })] }),
    ).toEqual(done);
    const { data } = await fetchQuery(groups.GET, "?environment=staging");
    expect(data.groups[0].name).toBe(name);
    expect((await records())[0]?.rpcs).toEqual([{ name: "$set.x", levels: ["FULL"], parameters: ["a.$b"] }]);
  });

  const base = "A group needs name, is_default and rpcs";
  const rpc = "An RPC needs name, selected, hmi_levels and parameters";
  const hmiLevel = "An HMI level needs value and selected";
  const parameter = "A parameter needs key and selected";
  const badLevel = anRpcBody({ hmi_levels: [level("HMI_FULL")] });
  const badParameter = anRpcBody({ parameters: [{ key: 1, selected: true }] });
  it.each<[string, unknown, string]>([
    ["no name", { name: undefined }, base],
    ["a blank name", { name: " \t" }, "name must not be blank"],
    ["an object as name", { name: { $gt: "" } }, base],
    ["a name of 256 bytes", { name: "ä".repeat(128) }, `${base}: name is longer than 255 bytes`],
    ["half a surrogate pair", { name: "a\ud800" }, `${base}: name holds half a surrogate pair`],
    ["C10: a NUL", { name: "a\u0000b" }, `${base}: name holds a NUL`],
    ["no is_default", { is_default: undefined }, base],
    ["a text as is_default", { is_default: "true" }, base],
    ["no rpcs", { rpcs: undefined }, base],
    ["an object as rpcs", { rpcs: {} }, base],
    ["a base error before others", { is_default: 1, rpcs: [badLevel, null] }, base],
    ["null as RPC", { rpcs: [null] }, rpc],
    ["an RPC without name", { rpcs: [anRpcBody({ name: "" })] }, rpc],
    ["an RPC name of 65 characters", { rpcs: [anRpcBody({ name: "x".repeat(65) })] }, `${rpc}: name is longer`],
    ["no selected", { rpcs: [anRpcBody({ selected: undefined })] }, rpc],
    ["no hmi_levels", { rpcs: [anRpcBody({ hmi_levels: null })] }, rpc],
    ["no parameters", { rpcs: [anRpcBody({ parameters: {} })] }, rpc],
    ["an RPC error before a level's", { rpcs: [badLevel, anRpcBody({ name: 1 })] }, rpc],
    ["an unknown level", { rpcs: [badLevel] }, hmiLevel],
    ["null as level", { rpcs: [anRpcBody({ hmi_levels: [null] })] }, hmiLevel],
    ["a level without selected", { rpcs: [anRpcBody({ hmi_levels: [{ value: "FULL" }] })] }, hmiLevel],
    ["a level error before a parameter's", { rpcs: [badParameter, badLevel] }, hmiLevel],
    ["a number as key", { rpcs: [badParameter] }, parameter],
    [
      "a key of 65 characters",
      { rpcs: [anRpcBody({ parameters: [{ key: "k".repeat(65), selected: true }] })] },
      parameter,
    ],
    ["a parameter error before a flag's", { is_device: 1, rpcs: [badParameter] }, parameter],
    ["a number as flag", { is_device: 1 }, "is_device must be true or false"],
    ["null as flag", { is_deleted: null }, "is_deleted must be true or false"],
    ["a list as description", { description: [] }, "description must be a text or null"],
    ["an object as prompt", { user_consent_prompt: { $ne: 1 } }, "user_consent_prompt must be a text or null"],
    ["an unknown prompt", { user_consent_prompt: "Nobody" }, "Consent prompt not found: Nobody"],
    ["a fraction as base_id", { base_id: 1.5 }, "base_id must be an integer"],
    ["1e99 as base_id", { base_id: 1e99 }, "base_id must be an integer"],
  ])("400 for %s", async (_, partial, message) => {
    const answer = await save(partial as Record<string, unknown>);
    expect(answer).toEqual({ status: 400, message: expect.any(String), data: {} });
    expect(answer.message?.startsWith(message), `${answer.message}`).toBe(true);
    expect(await records()).toEqual([]);
  });

  it("400 for a prompt that is deleted in staging, save for a group that is deleted itself", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Gone", "PRODUCTION");
      const _id = await tx.nextId("consumer_messages");
      const gone = { _id, category: "Gone", status: "STAGING", isDeleted: true };
      await ConsumerMessageModel.insertMany([gone], { session: tx.session });
    });
    expect(await save({ user_consent_prompt: "Gone" })).toMatchObject({ status: 400 });
    expect(await save({ user_consent_prompt: "Gone", is_deleted: true })).toEqual(done);
  });

  it("0.9: raises the revision and leaves an audit event with who, before and after", async () => {
    expect(await raisesRevision(() => save())).toBe(true);
    await save();
    const [, event] = await AuditEventModel.find().sort({ _id: 1 }).lean();
    expect(event).toMatchObject({
      actor: "admin",
      route: "POST /api/v1/x",
      requestId: expect.any(String),
      action: "groups.save",
      target: "group:Base",
      before: 1,
      after: 2,
    });
    await save({ is_deleted: true });
    expect(await AuditEventModel.findOne().sort({ _id: -1 }).lean()).toMatchObject({
      ...{ action: "groups.delete", target: "group:Base", before: 2, after: 3 },
    });
  });

  it("loses none of many concurrent saves and makes distinct versions", async () => {
    const texts = Array.from({ length: many }, (_, index) => `edit ${index}`);
    const answers = await Promise.all(texts.map((description) => save({ description })));
    expect(answers).toEqual(texts.map(() => done));
    const stored = await records({ name: "Base" });
    expect(new Set(stored.map(({ _id }) => _id)).size).toBe(many);
    expect(stored.map(({ description }) => description).toSorted()).toEqual(texts.toSorted());
  });

  it("413 for a body above 1 MiB", async () => {
    const response = await groups.POST(aRequest("/x", { body: aBody({ description: "x".repeat(1_048_577) }) }));
    expect(response.status).toBe(413);
  });
});

describe("base_id", () => {
  it("lets the edit of the newest record pass, and the first of a new name", async () => {
    expect(await save({ base_id: 0 })).toEqual(done);
    expect(await save({ base_id: 1 })).toEqual(done);
    expect(await save({ base_id: "2" })).toEqual(done);
    expect(await save({ base_id: null })).toEqual(done);
    expect(await records()).toHaveLength(4);
  });

  it("409 with both contents for an edit of an older record", async () => {
    await store((tx) => storePermission(tx, "Show"));
    await save({ description: "first" });
    await save({ description: "theirs" });
    const answer = await save({ description: "mine", base_id: 1, rpcs: [anRpcBody({ hmi_levels: [level("NONE")] })] });
    expect(answer.status).toBe(409);
    const { data } = await fetchQuery(groups.GET, "?id=2&environment=staging");
    expect(answer.data.current).toEqual(data.groups[0]);
    expect(Object.keys(answer.data.submitted)).toEqual(Object.keys(answer.data.current));
    expect(answer.data.submitted).toMatchObject({ name: "Base", description: "mine", selected_rpc_count: 1 });
    const selected = answer.data.submitted.rpcs[0].hmi_levels.filter((one: any) => one.selected);
    expect(selected).toEqual([{ name: "NONE", value: "NONE", selected: true }]);
    expect(await records()).toHaveLength(2);
  });

  it("409 for a new group whose name is taken, and for a group that is not there", async () => {
    await save();
    expect(await save({ base_id: 0 })).toMatchObject({ status: 409, data: { current: { id: 1 } } });
    expect(await save({ name: "Other", base_id: 1 })).toMatchObject({ status: 409, data: { current: null } });
  });

  it("lets one of 20 concurrent edits of the same record win", async () => {
    await save();
    const answers = await Promise.all(Array.from({ length: 20 }, () => save({ base_id: 1 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await records()).toHaveLength(2);
  });
});

describe("POST groups/promote (11.5)", () => {
  it("copies the whole record under a new id", async () => {
    await save({ is_default: true, description: "All" });
    expect(await publish({ id: 1, name: "ignored" })).toEqual(done);
    const [staged, published] = await records();
    const { _id: _1, status: _2, createdAt: _3, updatedAt: _4, ...content } = staged!;
    expect(published).toMatchObject({ ...content, _id: 2, status: "PRODUCTION" });
    expect((await fetchQuery(groups.GET)).data.groups).toMatchObject([{ id: 2, name: "Base", status: "PRODUCTION" }]);
    const events = await AuditEventModel.find({ action: "groups.promote" }).lean();
    expect(events).toMatchObject([{ target: "group:Base", before: 1, after: 2 }]);
  });

  it("Δ7: skips unknown, superseded and published ids, and changes nothing then", async () => {
    await save();
    await save();
    await publish({ id: ["2", 2, 999, -4, 0] });
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
    for (const id of [1, 2, 3, [1, 2, 3], [], Number.MAX_SAFE_INTEGER]) {
      expect(await raisesRevision(() => publish({ id }))).toBe(false);
      expect(await publish({ id })).toEqual(done);
    }
    expect(await records()).toHaveLength(3);
  });

  it("publishes deletions", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "A", status: "PRODUCTION" });
      await storeGroup(tx, { name: "B", status: "PRODUCTION" });
      await storeGroup(tx, { name: "B", isDeleted: true });
    });
    expect(await publish({ id: 3 })).toEqual(done);
    expect((await fetchQuery(groups.GET)).data.groups).toMatchObject([{ name: "A" }]);
    expect((await fetchQuery(groups.GET, "?environment=staging")).data.groups).toMatchObject([{ name: "A" }]);
  });

  it.each([{}, { id: null }, { id: "" }, { id: true }, { id: { $gt: 0 } }, { id: 1.5 }, { id: 1e99 }, { id: [[1]] }])(
    "400 for %j",
    async (body) => {
      const message = "id must be an integer or a list of integers";
      expect(await publish(body)).toEqual({ status: 400, message, data: {} });
    },
  );

  it("400 for a force that is no boolean", async () => {
    expect(await publish({ id: 1, force: "yes" })).toMatchObject({
      status: 400,
      message: "force must be true or false",
    });
  });

  it("Δ23: 400 for a prompt that is not in production, and then nothing is published", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Staged", "STAGING");
      await storeGroup(tx, { name: "A" });
      await storeGroup(tx, { name: "B", userConsentPrompt: "Staged" });
      await storeGroup(tx, { name: "C", userConsentPrompt: "Staged", isDeleted: true });
    });
    const message = "Consent prompt is not in production: Staged";
    expect(await publish({ id: [1, 2] })).toEqual({ status: 400, message, data: {} });
    expect(await publish({ id: [1, 2], force: true })).toEqual({ status: 400, message, data: {} });
    expect(await records({ status: "PRODUCTION" })).toEqual([]);
    expect(await publish({ id: [1, 3] })).toEqual(done);
    await store((tx) => storeMessage(tx, "Staged", "PRODUCTION"));
    expect(await publish({ id: 2 })).toEqual(done);
  });

  it("400 for a custom parameter that is not in production, and then nothing is published", async () => {
    await store(async (tx) => {
      await storeRpcSpecification(tx);
      await storeVehicleData(tx, "massage", "STAGING");
      const rpcs = [{ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps", "massage", "unknown"] }];
      await storeGroup(tx, { name: "A" });
      await storeGroup(tx, { name: "B", rpcs });
      await storeGroup(tx, { name: "C", rpcs, isDeleted: true });
    });
    const message = "Custom vehicle data is not in production: massage (B)";
    expect(await publish({ id: [1, 2] })).toEqual({ status: 400, message, data: {} });
    expect(await publish({ id: [1, 2], force: true })).toEqual({ status: 400, message, data: {} });
    expect(await records({ status: "PRODUCTION" })).toEqual([]);
    expect(await publish({ id: [1, 3] })).toEqual(done);
    await store((tx) => storeVehicleData(tx, "massage", "PRODUCTION"));
    expect(await publish({ id: 2 })).toEqual(done);
    // What neither environment knows counts in neither: there is nothing to wait for.
    expect((await records({ name: "B", status: "PRODUCTION" }))[0]?.rpcs[0]?.parameters).toContain("unknown");
  });

  it("makes one production record of many concurrent promotions", async () => {
    await save();
    const answers = await Promise.all(Array.from({ length: many }, () => publish({ id: 1 })));
    expect(answers).toEqual(answers.map(() => done));
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
    expect(await AuditEventModel.countDocuments({ action: "groups.promote" })).toBe(1);
  });
});

describe("force", () => {
  /** A production view that head units take: one group for everyone. */
  const storeBase = () =>
    store((tx) =>
      storeGroup(tx, { name: "Base", status: "PRODUCTION", isDefault: true, isDevice: true, isPreDataConsent: true }),
    );

  it("409 with the findings when a fixed entry would lose its last group, until it is forced", async () => {
    await storeBase();
    await save({ is_default: false, is_device: true });
    const answer = await publish({ id: 2 });
    expect(answer.status).toBe(409);
    expect(answer.data.findings.map(({ path }: { path: string }) => path)).toEqual([
      "app_policies.default.groups",
      "app_policies.pre_DataConsent.groups",
    ]);
    expect(answer.data.findings[0]).toMatchObject({ severity: "refused", build: "external" });
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
    expect(await publish({ id: 2, force: true })).toEqual(done);
    expect(await records({ status: "PRODUCTION" })).toHaveLength(2);
  });

  it("409 for the 256th group and every one after it; what is refused already does not stand in the way", async () => {
    await storeBase();
    await store(async (tx) => {
      for (let index = 0; index < 253; index++) await storeGroup(tx, { name: `G${index}`, status: "PRODUCTION" });
      await storeGroup(tx, { name: "255th" });
      await storeGroup(tx, { name: "256th", isDefault: true });
      await storeGroup(tx, { name: "257th" });
    });
    expect(await publish({ id: 255 })).toEqual(done);
    const answer = await publish({ id: 256 });
    expect(answer).toMatchObject({ status: 409, data: { findings: [{ path: "functional_groupings" }] } });
    expect(await publish({ id: 256, force: true })).toEqual(done);
    // Finding A3: a table that is refused for 256 groups is no leave for the 257th.
    expect((await publish({ id: 257 })).status).toBe(409);
    expect(await publish({ id: 257, force: true })).toEqual(done);
    await save({ name: "G7", is_deleted: true });
    const [deletion] = await records({ name: "G7", isDeleted: true });
    expect(await publish({ id: deletion?._id })).toEqual(done);
  });

  it("409 for a list of parameters that is too long", async () => {
    await storeBase();
    const parameters = Array.from({ length: 101 }, (_, index) => `custom${index}`);
    await store(async (tx) => {
      for (const name of parameters) await storeVehicleData(tx, name, "PRODUCTION");
      await storePermission(tx, "GetVehicleData");
      await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
      await storeGroup(tx, { name: "Long", rpcs: [{ name: "GetVehicleData", levels: ["FULL"], parameters }] });
    });
    const path = "functional_groupings.Long.rpcs.GetVehicleData.parameters";
    expect(await publish({ id: 2 })).toMatchObject({
      status: 409,
      data: { findings: [{ path, build: "external", severity: "refused" }] },
    });
  });
});

describe("faults that a save brings to the staging table (finding A3)", () => {
  const registration = anRpcBody({ name: "RegisterAppInterface", hmi_levels: [level("NONE")] });
  const base = { is_default: true, is_device: true, is_pre_data_consent: true, rpcs: [registration] };
  const pathsOf = ({ data }: { data: any }) => data.findings.map(({ path }: { path: string }) => path);

  it("are told with the 256th group and every further one, not with one fewer", async () => {
    await save(base);
    await store(async (tx) => {
      for (let index = 0; index < 253; index++) await storeGroup(tx, { name: `G${index}` });
    });
    expect(await save({ name: "255th" })).toEqual(done);
    for (const count of [256, 257]) {
      const answer = await save({ name: `G${count}` });
      expect(answer).toMatchObject({ status: 200, message: null });
      expect(answer.data.findings).toEqual([
        {
          build: "both",
          severity: "refused",
          path: "functional_groupings",
          rule: "5 functional_groupings: number of groups",
          message: expect.stringContaining(`at most 255 entries, not ${count}`),
        },
      ]);
    }
    expect(await save({ name: "G7", is_deleted: true })).toEqual(done);
    expect(await save({ name: "255th", description: "changed" })).toEqual(done);
    // All at once, as a promotion would bring it.
    const ids = (await records()).map(({ _id }) => _id);
    expect(await publish({ id: ids })).toMatchObject({ status: 409, data: { findings: [{}] } });
  });

  it("are told when the last group of a fixed entry goes, and when it is there no more", async () => {
    await save(base);
    expect(await save({ name: "Other" })).toEqual(done);
    const answer = await save({ ...base, is_default: false });
    expect(pathsOf(answer)).toEqual(["app_policies.default.groups", "app_policies.default.groups"]);
    expect(answer.data.findings[0]).toMatchObject({ build: "external", severity: "refused" });
    expect(await save({ ...base, is_default: false, description: "again" })).toEqual(done);
    expect(await save(base)).toEqual(done);
  });

  it("finding A4: no app can register without RegisterAppInterface in a default group; promoting that wants force", async () => {
    await save(base);
    await publish({ id: 1 });
    const withoutIt = { ...base, rpcs: [anRpcBody()] };
    const answer = await save(withoutIt);
    const registering = (id: string) => ({
      severity: "danger",
      path: `app_policies.${id}.groups`,
      rule: "G10 registration",
      message: expect.stringMatching(/^No app can register.*RegisterAppInterface/),
    });
    const findings = [registering("default"), registering("pre_DataConsent")];
    expect(answer).toMatchObject({ status: 200, data: { findings } });
    const refused = await publish({ id: 3 });
    expect(refused).toMatchObject({ status: 409, data: { findings } });
    expect(refused.message).toBe(
      "The policy table would be faulty after this promotion; send force: true to promote anyway",
    );
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
    expect(await publish({ id: 3, force: true })).toEqual(done);
    // At another level it does not help: an app that registers has none.
    const answerAtFull = await save({ ...base, rpcs: [{ ...registration, hmi_levels: [level("FULL")] }] });
    expect(answerAtFull).toEqual(done);
    expect(await save(base)).toEqual(done);
    expect((await publish({ id: (await records()).at(-1)?._id })).status).toBe(200);
  });

  it("400 for more than 100 parameters of one RPC, doubles not counted; the deletion of such a group is taken", async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `p${index}`, selected: true }));
    const twice = [anRpcBody({ parameters: keys(100) }), anRpcBody({ parameters: keys(100) })];
    expect(await save({ rpcs: twice })).toEqual(done);
    await save({ name: "Other" });
    const tooMany = { rpcs: [anRpcBody({ parameters: keys(101) })] };
    const message = "The RPC Show has more than 100 parameters";
    expect(await save(tooMany)).toEqual({ status: 400, message, data: {} });
    expect(await save({ ...tooMany, is_deleted: true })).toEqual(done);
  });
});
