import { describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as promote from "@/app/api/v1/groups/promote/route";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { neededRpcs } from "@/lib/vocabulary/terms";
import { FunctionalGroupModel } from "@/models/functional-group";
import { fetchQuery, send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import {
  store,
  storeGroup,
  storeMessage,
  storePermission,
  storeRpcSpecification,
  storeVehicleData,
} from "@/test/support/stored-records";

withEmptyDatabase();

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
      ...{ is_default: true, is_pre_data_consent: true, is_device: true, is_app_provider_group: true },
      ...{ is_administrator_group: true, is_widget_group: true, is_proprietary_group: true, encryption_required: true },
    };
    const texts = { name: "  Base ", description: "All", user_consent_prompt: "Location" };
    expect(await save({ ...flags, ...texts, id: 7, status: "PRODUCTION", selected_prompt_id: 9 })).toEqual(done);
    const { data } = await fetchQuery(groups.GET, "?id=1&environment=staging");
    expect(data.groups[0]).toMatchObject({
      ...{ ...flags, ...texts, id: 1, name: "Base", status: "STAGING", is_deleted: false },
      ...{ selected_prompt_status: "STAGING", selected_rpc_count: 1 },
    });
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
    expect((await fetchQuery(groups.GET, "?id=2")).data.groups[0]).toEqual({ ...data.groups[0], id: 2 });
  });

  it("0.2: stores names as they were sent, with dots and dollars as plain data", async () => {
    const names = ["$where", "__proto__", "constructor", "$where.a.b", "🚗", "\uffff"];
    const rpcs = [anRpcBody({ name: "$set.x", parameters: [{ key: "a.$b", selected: true }] })];
    for (const name of names) expect(await save({ name, rpcs })).toEqual(done);
    expect(await publish({ id: names.map((_, index) => index + 1) })).toEqual(done);
    const { data } = await fetchQuery(groups.GET, "?sort=id");
    expect(data.groups.map((one: any) => one.name)).toEqual(names);
    expect((await records())[0]?.rpcs).toEqual([{ name: "$set.x", levels: ["FULL"], parameters: ["a.$b"] }]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ rpcs: [null] }, "An RPC needs name, selected, hmi_levels and parameters (rpcs[0])"],
    [{ user_consent_prompt: "Nobody" }, "Consent prompt not found: Nobody"],
  ])("400 for %j", async (partial, message) => {
    expect(await save(partial)).toEqual({ status: 400, message, data: {} });
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
});

describe("POST groups/promote (11.5)", () => {
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
});

describe("faults that a save brings to the staging table (finding A3)", () => {
  const needed = neededRpcs.map((name) => anRpcBody({ name, hmi_levels: [level("NONE")] }));
  const base = { is_default: true, is_device: true, is_pre_data_consent: true, rpcs: needed };
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
    expect(new Set(pathsOf(answer))).toEqual(new Set(["app_policies.default.groups"]));
    expect(answer.data.findings[0]).toMatchObject({ build: "external", severity: "refused" });
    expect(await save({ ...base, is_default: false, description: "again" })).toEqual(done);
    expect(await save(base)).toEqual(done);
  });

  it("G10: without a default group that lets apps register and bring the next table; promoting that wants force", async () => {
    await save(base);
    await publish({ id: 1 });
    const answer = await save({ ...base, rpcs: [anRpcBody()] });
    const missing = (id: string, rule: string, message: RegExp) => ({
      ...{ severity: "danger", path: `app_policies.${id}.groups`, rule },
      message: expect.stringMatching(message),
    });
    const findings = [
      missing("default", "G10 registration", /^No app may register: .*RegisterAppInterface/),
      missing("pre_DataConsent", "G10 registration", /^No app may register before/),
      missing("default", "G10 next update", /^No app can bring the next policy table: .* allow OnSystemRequest/),
      missing("default", "G10 next update", /^No app can bring the next policy table: .* allow SystemRequest/),
    ];
    expect(answer).toMatchObject({ status: 200, data: { findings } });
    const refused = await publish({ id: 3 });
    expect(refused).toMatchObject({ status: 409, data: { findings } });
    expect(refused.message).toBe(
      "The policy table would be faulty after this promotion; send force: true to promote anyway",
    );
    expect(await records({ status: "PRODUCTION" })).toHaveLength(1);
    expect(await publish({ id: 3, force: true })).toEqual(done);
    // At another level it does not help: an app that registers has none.
    const answerAtFull = await save({ ...base, rpcs: needed.map((rpc) => ({ ...rpc, hmi_levels: [level("FULL")] })) });
    expect(answerAtFull).toEqual(done);
    expect(await save(base)).toEqual(done);
    expect((await publish({ id: (await records()).at(-1)?._id })).status).toBe(200);
  });
});
