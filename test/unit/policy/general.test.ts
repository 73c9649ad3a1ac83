import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAnswer, buildSegmentAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { NoModuleConfigError } from "@/lib/policy/table/compiled-policy";
import { byCodeUnit, byLowerCase, distinct } from "@/lib/labels/order";
import { readSegment } from "@/lib/policy/answer/policy-request";
import type { PolicySnapshot, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { environments } from "@/lib/labels/vocabulary";
import { answerText, builtTable, compiled, reportsOf, requestId, shortenedTable } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  aMessage,
  aMessageLanguage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  aPermission,
  aService,
  aSnapshot,
  aVehicleDataItem,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { groups, records, snapshotOf, versions, workedExample } from "@/test/support/worked-example";

const everyFlag = { isDefault: true, isDevice: true, isPreDataConsent: true };

it("G1: data is one policy_table with its members in order", async () => {
  const text = answerText(await compiled(workedExample, "production"), shortenedTable({}));
  const { meta, data } = JSON.parse(text);
  expect(meta).toEqual({ request_id: requestId, code: 200, message: null });
  expect(data).toHaveLength(1);
  expect(Object.keys(data[0])).toEqual(["policy_table"]);
  expect(Object.keys(data[0].policy_table)).toEqual([
    "module_config",
    "vehicle_data",
    "functional_groupings",
    "consumer_friendly_messages",
    "app_policies",
  ]);
});

it("G2: each environment answers from its own views only", async () => {
  const snapshot = aSnapshot({
    groups: { staging: [aGroup({ name: "S", ...everyFlag })], production: [aGroup({ name: "P", ...everyFlag })] },
    messages: { staging: [aMessage({ category: "S" })], production: [aMessage({ category: "P" })] },
    moduleConfigs: {
      staging: [aModuleConfig({ exchangeAfterXDays: 1 })],
      production: [aModuleConfig({ exchangeAfterXDays: 2 })],
    },
    vehicleData: { staging: [aVehicleDataRecord({ name: "S" })], production: [aVehicleDataRecord({ name: "P" })] },
  });
  for (const [environment, mark, days] of [["staging", "S", 1] as const, ["production", "P", 2] as const]) {
    const table = await builtTable(snapshot, { environment });
    expect(table.module_config.exchange_after_x_days).toBe(days);
    expect(Object.keys(table.functional_groupings)).toEqual([mark]);
    expect(Object.keys(table.consumer_friendly_messages.messages)).toEqual([mark]);
    expect(table.vehicle_data.schema_items.map((item: { name: string }) => item.name)).toEqual([mark]);
    expect(table.app_policies.default.groups).toEqual([mark]);
  }
});

describe("G3: preview and app segment", () => {
  it("G3: a preview has short ids and the fixed entries only", async () => {
    const policy = await compiled(workedExample, "staging");
    const parts = buildAnswer(policy, { apps: [], fullAppIdSupported: false, isOlder: false }, requestId);
    const { policy_table } = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()).data[0];
    expect(policy_table.module_config.full_app_id_supported).toBe(false);
    expect(Object.keys(policy_table.app_policies)).toEqual(["default", "device", "pre_DataConsent"]);
  });

  it.each(environments)("G3: an app segment holds app_policies only, as the full table has them (%s)", async (name) => {
    const policy = await compiled(workedExample, name);
    const apps = { "11111111aa": {}, "22222222aa": { auth_token: "t" }, "33333333aa": {} };
    const parts = buildSegmentAnswer(policy, readSegment({ app_policies: apps }), requestId);
    const { policy_table } = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()).data[0];
    expect(Object.keys(policy_table)).toEqual(["app_policies"]);
    const full = JSON.parse(answerText(policy, shortenedTable(apps))).data[0].policy_table;
    expect(JSON.stringify(policy_table.app_policies)).toBe(JSON.stringify(full.app_policies));
  });
});

it("G4: what is omitted is absent, never null", async () => {
  const snapshot = aSnapshot({
    groups: inBothViews(aGroup({ ...everyFlag, userConsentPrompt: null })),
    messages: inBothViews(aMessage({ languages: [aMessageLanguage()] })),
    vehicleData: inBothViews(
      aVehicleDataRecord({ since: null, until: null, deprecated: null, mandatory: null, minValue: null, array: null }),
    ),
    apps: aCatalogue([anApp()]),
  });
  const text = answerText(await compiled(snapshot, "production"), shortenedTable({ "11111111aa": {}, other: {} }));
  const table = text.slice(text.indexOf('"policy_table"'));
  expect(table).not.toContain("null");
});

describe("G5: damaged records", () => {
  it("G5: are left out and reported, and the others stay", async () => {
    const snapshot = aSnapshot({
      groups: inBothViews(aGroup({ ...everyFlag, rpcs: [anRpc(), anRpc({ name: "Alert", levels: [] })] })),
      messages: inBothViews(
        aMessage({ category: "Whole" }),
        aMessage({ category: "Damaged", languages: [aMessageLanguage({ languageId: "de-de", label: "Ort" })] }),
      ),
      vehicleData: inBothViews(aVehicleDataRecord(), aVehicleDataRecord({ name: "cabin scent" })),
      apps: aCatalogue([
        anApp({ versions: [anAppVersion({ services: [aService({ selectedPermissions: ["NoLongerKnown"] })] })] }),
      ]),
    });
    const table = await builtTable(snapshot, { apps: { "11111111aa": {} } });
    expect(Object.keys(table.functional_groupings.Base.rpcs)).toEqual(["Show"]);
    expect(Object.keys(table.consumer_friendly_messages.messages)).toEqual(["Whole"]);
    expect(table.vehicle_data.schema_items).toHaveLength(1);
    expect(table.app_policies["11111111aa"].app_services.MEDIA.handled_rpcs).toEqual([{ function_id: 0 }]);
    expect(await reportsOf(snapshot, "production")).toEqual([
      "vehicle data cabin scent: its name is refused by head units: holds a blank or one of !@#$%^&*",
      "message Damaged: it has no en-us text, which every head unit demands",
    ]);
  });

  it("G5: nothing is reported when nothing is left out", async () => {
    expect(await reportsOf(workedExample, "staging")).toEqual([]);
  });

  it("G5: building fails when the view holds no module config, and only in that environment", async () => {
    const snapshot = aSnapshot({ moduleConfigs: { staging: [aModuleConfig()], production: [] } });
    await expect(compiled(snapshot, "production")).rejects.toThrow(NoModuleConfigError);
    await expect(compiled(snapshot, "staging")).resolves.toBeDefined();
  });
});

describe("G6: equal data give equal bytes", () => {
  /** The same stored data as a database without a defined order would hand them over. */
  const shuffledVersion = (version: SnapshotAppVersion, shuffle: <T>(values: readonly T[]) => T[]) => ({
    ...version,
    categories: shuffle([...version.categories, { id: 1, name: "DEFAULT" }, { id: 9, name: "TESTING" }]),
    permissions: shuffle(version.permissions),
    groupGrants: shuffle(version.groupGrants),
    services: shuffle(
      [...version.services, aService({ name: "NAVIGATION" })].map((service) => ({
        ...service,
        serviceNames: shuffle([...service.serviceNames, "Aux", "Zed"]),
        selectedPermissions: shuffle([...service.selectedPermissions, "Show"]),
      })),
    ),
  });

  function shuffledSnapshot(shuffle: <T>(values: readonly T[]) => T[]): PolicySnapshot {
    const version = shuffledVersion(
      { ...versions[3], approvalStatus: "ACCEPTED", services: versions[1].services },
      shuffle,
    );
    return snapshotOf({
      ...records,
      groups: shuffle(
        groups.map((group) => ({
          ...group,
          rpcs: shuffle([...group.rpcs, anRpc({ name: "Alert" }), anRpc({ name: "alert" })]).map((rpc) => ({
            ...rpc,
            levels: shuffle(rpc.levels),
            parameters: shuffle(rpc.parameters),
          })),
        })),
      ),
      messages: shuffle(
        [...records.messages, aMessage({ id: 3, category: "VehicleInfo" }), aMessage({ id: 4, category: "a" })].map(
          (message) => ({ ...message, languages: shuffle(message.languages) }),
        ),
      ),
      vehicleData: shuffle([
        ...records.vehicleData,
        aVehicleDataRecord({ id: 21, name: "CABINSCENT" }),
        aVehicleDataRecord({ id: 22, type: "Struct", name: "box", params: shuffle(["b", "a", "B"].map(named)) }),
      ]),
      permissions: shuffle(records.permissions),
      apps: [anApp({ versions: [version] })],
    });
  }
  const named = (name: string) => aVehicleDataItem({ name, key: name });

  it.each(environments)("G6: whatever the order of records and of their lists (%s)", async (environment) => {
    const table = shortenedTable({ "22222222aa": {} });
    const expected = answerText(
      await compiled(
        shuffledSnapshot((values) => [...values]),
        environment,
      ),
      table,
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const shuffle = <T>(values: readonly T[]) => {
          const keyed = values.map((value) => ({ value, key: numbers.next().value }));
          return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
        };
        expect(answerText(await compiled(shuffledSnapshot(shuffle), environment), table)).toBe(expected);
      }),
      { numRuns: runs(50) },
    );
  });
});

it.each(environments)("M10, G7: building changes nothing of the snapshot (%s)", async (environment) => {
  const frozen = deepFreeze(structuredClone({ ...workedExample, apps: null }));
  const snapshot = { ...frozen, apps: aCatalogue(records.apps.map(deepFreeze)) };
  const table = shortenedTable({ "11111111aa": {}, "22222222aa": {} });
  const expected = answerText(await compiled(workedExample, environment), table);
  expect(answerText(await compiled(snapshot, environment), table)).toBe(expected);
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe("G8: order", () => {
  it("G8: by code unit is plain comparison of UTF-16 code units", () => {
    const sorted = ["", "10", "9", "B", "Z", "a", "b", "é", "\u{1f600}", "\ufffd"];
    expect(sorted.toReversed().sort(byCodeUnit)).toEqual(sorted);
  });

  it("G8: lower-cased names are compared, ties by code unit", () => {
    const sorted = ["alpha", "Base", "base", "Beta", "gamma", "Ω", "ω", "Ωmega"];
    expect(sorted.toReversed().sort(byLowerCase)).toEqual(sorted);
  });

  it("G8: both are total orders in which only equal texts are equal", () => {
    const texts = fc.string({ unit: "binary", maxLength: 4 });
    for (const compare of [byCodeUnit, byLowerCase]) {
      fc.assert(
        fc.property(texts, texts, texts, (a, b, c) => {
          expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
          expect(compare(a, b) === 0).toBe(a === b);
          if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        }),
      );
    }
  });

  it("keeps the first of equal values", () => {
    expect(distinct(["b", "a", "b"])).toEqual(["b", "a"]);
  });
});

describe("G9: what a head unit refuses is found, and the answer stays as it is", () => {
  it("G9: empty groups of the fixed entries and of an app", async () => {
    const snapshot = aSnapshot({ groups: inBothViews(aGroup()), apps: aCatalogue([anApp()]) });
    const refusals = ["11111111aa", "default", "device", "pre_DataConsent"].map((id) => `app_policies.${id}.groups`);
    const table = await builtTable(snapshot, { apps: { "11111111aa": {} }, refusals });
    expect(table.app_policies["11111111aa"].groups).toEqual([]);
    expect(table.app_policies.device.groups).toEqual([]);
  });

  it("G9: more than 255 groups", async () => {
    const others = Array.from({ length: 255 }, (_, index) => aGroup({ id: index + 2, name: `G${index}` }));
    const snapshot = aSnapshot({ groups: inBothViews(aGroup(everyFlag), ...others) });
    const table = await builtTable(snapshot, { refusals: ["functional_groupings"] });
    expect(Object.keys(table.functional_groupings)).toHaveLength(256);
  });

  it("G9: group names are counted in bytes", async () => {
    const named = (name: string) => aSnapshot({ groups: inBothViews(aGroup({ name, ...everyFlag })) });
    await builtTable(named("ü".repeat(127)));
    const refusals = ["default", "device", "pre_DataConsent"].map((id) => `app_policies.${id}.groups[0]`);
    await builtTable(named("ü".repeat(128)), { refusals });
  });

  it("G9: more than 100 parameters of one RPC", async () => {
    const parameters = Array.from({ length: 101 }, (_, index) => `custom${index}`);
    const withParameters = (count: number) =>
      aSnapshot({
        groups: inBothViews(
          aGroup({ ...everyFlag, rpcs: [anRpc({ name: "GetVehicleData", parameters: parameters.slice(0, count) })] }),
        ),
        vehicleData: inBothViews(...parameters.map((name) => aVehicleDataRecord({ name }))),
        permissions: [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })],
      });
    await builtTable(withParameters(100));
    const refusals = ["functional_groupings.Base.rpcs.GetVehicleData.parameters"];
    const table = await builtTable(withParameters(101), { refusals });
    expect(table.functional_groupings.Base.rpcs.GetVehicleData.parameters).toHaveLength(101);
  });
});
