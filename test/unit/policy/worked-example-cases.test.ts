import { describe, expect, it } from "vitest";
import type { PolicySnapshot, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { whyNameRefused } from "@/lib/policy/table/vehicle-data";
import { environments, type ApprovalStatus, type Environment } from "@/lib/labels/vocabulary";
import { buildSegmentAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { readSegment } from "@/lib/policy/answer/policy-request";
import { answeredTable, answerText, compiled, reportsOf, requestId, shortenedTable } from "@/test/support/answers";
import { aGroup, aMessage, anRpc, aVehicleDataRecord } from "@/test/support/builders";
import {
  appsFrom,
  expectedSections,
  groups,
  messages,
  records,
  snapshotOf,
  versions,
  workedExample,
  workedRequest,
  type StoredRecords,
} from "@/test/support/worked-example";

const changed = (partial: Partial<StoredRecords>) => snapshotOf({ ...records, ...partial });
const withStatus = (record: keyof typeof versions, approvalStatus: ApprovalStatus) => {
  const version: SnapshotAppVersion = { ...versions[record], approvalStatus };
  return changed({ apps: appsFrom({ ...versions, [record]: version }) });
};

async function table(
  snapshot: PolicySnapshot,
  environment: Environment,
  apps: Record<string, unknown> = workedRequest.policy_table.app_policies,
  refusals: readonly string[] = [],
) {
  return answeredTable(await compiled(snapshot, environment), shortenedTable(apps), refusals);
}

it.each(environments)("T1: app 1 record 2 LIMITED changes no table (%s)", async (environment) => {
  const request = workedRequest.policy_table;
  const before = answerText(await compiled(workedExample, environment), request);
  expect(answerText(await compiled(withStatus(2, "LIMITED"), environment), request)).toBe(before);
});

it.each([
  ["production", ["Base", "Remote"]],
  ["staging", ["Base", "Location", "Remote"]],
] as const)("T2: record 2 ACCEPTED is used in %s, Remote joins", async (environment, expected) => {
  const { app_policies } = await table(withStatus(2, "ACCEPTED"), environment);
  expect(app_policies["11111111aa"].groups).toEqual(expected);
  expect(app_policies["11111111aa"].moduleType).toEqual(["CLIMATE"]);
});

it.each(environments)("T3: record 3 ACCEPTED has its groups in %s", async (environment) => {
  const { app_policies } = await table(withStatus(3, "ACCEPTED"), environment);
  expect(app_policies["22222222aa"]).toEqual(expectedSections.staging.app_policies["22222222aa"]);
  expect(app_policies["22222222aa"].groups).toEqual(["Base", "OemDiag", "Remote"]);
});

it.each(environments)("T4: without the blacklist app 3 has Base in %s", async (environment) => {
  const { app_policies } = await table(changed({ apps: appsFrom(versions, false) }), environment);
  expect(app_policies["33333333aa"].groups).toEqual(["Base"]);
});

describe("T5, T6: deleting group Base", () => {
  const deletion = {
    ...groups[0]!,
    id: 6,
    isDeleted: true,
    isDefault: false,
    isDevice: false,
    isPreDataConsent: false,
  };
  const inStaging = changed({ groups: [...groups, { ...deletion, status: "STAGING" }] });
  const promoted = changed({
    groups: [...groups, { ...deletion, status: "STAGING" }, { ...deletion, id: 7, status: "PRODUCTION" }],
  });
  const empty = ["default", "device", "pre_DataConsent"].map((name) => `app_policies.${name}.groups`);

  async function expectWithoutBase(snapshot: PolicySnapshot, environment: Environment, refusals: readonly string[]) {
    const answered = await table(snapshot, environment, undefined, refusals);
    expect(Object.keys(answered.functional_groupings)).toEqual(["Location", "OemDiag", "Remote"]);
    for (const name of ["default", "device", "pre_DataConsent"]) expect(answered.app_policies[name].groups).toEqual([]);
    return answered.app_policies;
  }

  it("T5: in staging only takes it from every staging entry, and G9 reports the empty lists", async () => {
    const apps = await expectWithoutBase(inStaging, "staging", empty);
    expect(apps["11111111aa"].groups).toEqual(["Location"]);
    expect(apps["22222222aa"].groups).toEqual(["OemDiag", "Remote"]);
    const request = workedRequest.policy_table;
    const before = answerText(await compiled(workedExample, "production"), request);
    expect(answerText(await compiled(inStaging, "production"), request)).toBe(before);
  });

  it("T5: also when the deleted record keeps its flags", async () => {
    const flags = { isDefault: true, isDevice: true, isPreDataConsent: true };
    const keeping = changed({ groups: [...groups, { ...deletion, ...flags, status: "STAGING" }] });
    await expectWithoutBase(keeping, "staging", empty);
  });

  it("T6: promoted, production follows", async () => {
    const apps = await expectWithoutBase(promoted, "production", [...empty, "app_policies.11111111aa.groups"]);
    expect(apps["11111111aa"].groups).toEqual([]);
  });
});

it("T7: deleting message Location in staging takes the groups that ask with it and raises the version", async () => {
  const deleted = aMessage({ id: 3, status: "STAGING", isDeleted: true });
  const snapshot = changed({ messages: [...messages, deleted] });
  const staging = await table(snapshot, "staging");
  expect(Object.keys(staging.functional_groupings)).toEqual(["Base", "OemDiag", "Remote"]);
  expect(staging.app_policies["11111111aa"].groups).toEqual(["Base"]);
  expect(staging.consumer_friendly_messages).toEqual({ version: "000.000.003", messages: {} });
  const production = await table(snapshot, "production");
  expect(production.functional_groupings.Location.user_consent_prompt).toBe("Location");
  expect(production.consumer_friendly_messages.version).toBe("000.000.001");
});

it.each(environments)("T8: requested default and device are the fixed entries in %s", async (environment) => {
  const { app_policies } = await table(workedExample, environment, { default: {}, device: { enabled: true } });
  expect(app_policies).toEqual((await table(workedExample, environment, {})).app_policies);
});

it.each(environments)("T9: __proto__ has no effect on other entries in %s", async (environment) => {
  const policy = await compiled(workedExample, environment);
  for (const sent of ["{}", "null", '{"enabled":true,"auth_token":"t"}', '{"11111111aa":{"auth_token":"t"}}']) {
    const apps = JSON.parse(`{"__proto__":${sent},"11111111aa":{},"constructor":{}}`);
    const { app_policies } = answeredTable(policy, shortenedTable(apps));
    const others = Object.entries(app_policies).filter(([id]) => id !== "__proto__" && id !== "constructor");
    const expected = await table(workedExample, environment, { "11111111aa": {} });
    expect(Object.fromEntries(others)).toEqual(expected.app_policies);
    expect(Object.getOwnPropertyDescriptor(app_policies, "__proto__")?.value ?? "default").toBe("default");
    expect(app_policies.constructor).toBe("default");
  }
});

it("T10: without custom vehicle data two requests give the same schema_version", async () => {
  for (const snapshot of [changed({ vehicleData: [] }), changed({ vehicleData: [], rpcSpec: null })]) {
    const versionsSeen = [];
    for (const environment of [...environments, ...environments]) {
      versionsSeen.push((await table(snapshot, environment)).vehicle_data.schema_version);
    }
    expect(new Set(versionsSeen)).toEqual(new Set([snapshot.rpcSpec ? "1768003200.000" : "0.000"]));
  }
});

it("T11: a parameter under an RPC without level leaves out the RPC, nothing else", async () => {
  const rpcs = [anRpc({ name: "GetVehicleData", levels: [], parameters: ["gps"] }), anRpc()];
  const snapshot = changed({ groups: [...groups, aGroup({ id: 9, name: "Damaged", rpcs })] });
  const { functional_groupings } = await table(snapshot, "production");
  const { Damaged, ...others } = functional_groupings;
  expect(Damaged).toEqual({ encryption_required: false, rpcs: { Show: { hmi_levels: ["FULL"] } } });
  expect(others).toEqual(expectedSections.production.functional_groupings);
});

it("T12: three ids on the app segment give six keys and no other section", async () => {
  const request = readSegment({ app_policies: { "11111111aa": {}, "22222222aa": {}, "33333333aa": {} } });
  const parts = buildSegmentAnswer(await compiled(workedExample, "production"), request, requestId);
  const { policy_table } = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()).data[0];
  expect(Object.keys(policy_table)).toEqual(["app_policies"]);
  expect(Object.keys(policy_table.app_policies)).toHaveLength(6);
});

it("T13: enabled false is echoed", async () => {
  const { app_policies } = await table(workedExample, "production", { "11111111aa": { enabled: false } });
  expect(app_policies["11111111aa"]).toEqual({
    ...expectedSections.production.app_policies["11111111aa"],
    enabled: false,
  });
});

it.each(environments)("T14: promoting message 2 gives version 3 in %s", async (environment) => {
  const snapshot = changed({ messages: [...messages, { ...messages[1]!, id: 3, status: "PRODUCTION" }] });
  const section = (await table(snapshot, environment)).consumer_friendly_messages;
  expect(section.version).toBe("000.000.003");
  expect(section.messages).toEqual(expectedSections.staging.consumer_friendly_messages.messages);
});

it.each(environments)(
  "T15: an id in upper case gets the same object under the key as written (%s)",
  async (environment) => {
    const { app_policies } = await table(workedExample, environment, { "11111111AA": {}, "33333333AA": {} });
    expect(Object.keys(app_policies).slice(0, 2)).toEqual(["11111111AA", "33333333AA"]);
    expect(app_policies["11111111AA"]).toEqual(expectedSections[environment].app_policies["11111111aa"]);
    expect(app_policies["33333333AA"]).toBeNull();
  },
);

it("T16: a stored item named with a blank is absent and reported", async () => {
  const snapshot = changed({
    vehicleData: [...records.vehicleData, aVehicleDataRecord({ id: 21, name: "cabin scent" })],
  });
  expect(whyNameRefused("cabin scent")).not.toBeNull();
  const { schema_items } = (await table(snapshot, "staging")).vehicle_data;
  expect(schema_items.map((item: { name: string }) => item.name)).toEqual(["gps", "speed", "cabinScent"]);
  expect(await reportsOf(snapshot, "staging")).toEqual([expect.stringMatching(/^vehicle data cabin scent: /)]);
});

it.each(environments)("T17: an app without MODULE permission has no moduleType (%s)", async (environment) => {
  const { app_policies } = await table(workedExample, environment);
  expect(app_policies["11111111aa"]).not.toHaveProperty("moduleType");
});
