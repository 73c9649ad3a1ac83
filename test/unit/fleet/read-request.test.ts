import fc from "fast-check";
import { expect, it } from "vitest";
import { KnownGroups, readRequest } from "@/lib/fleet/read-request";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  anApp,
  anAppVersion,
  aSnapshot,
  inBothViews,
  policyOptions,
} from "@/test/support/builders";
import { runs, seed } from "@/test/support/extent";
import { sampleRequest } from "@/test/support/vehicle";

/* What is read of a vehicle's request (`fleet.md` S1, S2, S6). */

const uuidOf = (at: number) => `11111111-aaaa-4bbb-8ccc-00000000000${at}`;
const apps = [
  anApp({ uuid: uuidOf(1), versions: [anAppVersion({ shortUuid: "aa11" })] }),
  anApp({ uuid: uuidOf(2), versions: [] }),
  anApp({ uuid: uuidOf(3), isBlacklisted: true }),
];
const groups = inBothViews(aBaseGroup(), aGroup({ id: 2, name: "Location" }));
const policy = await compilePolicy(
  aSnapshot({ apps: aCatalogue(apps), groups }),
  "production",
  policyOptions(),
  () => undefined,
);

const aTable = (members: object = {}) => ({
  app_policies: { default: {}, pre_DataConsent: {}, device: {} },
  consumer_friendly_messages: { version: "000.000.007" },
  device_data: {},
  functional_groupings: { Base: { rpcs: null } },
  module_config: { full_app_id_supported: true },
  usage_and_error_counts: {},
  ...members,
});
const bodyOf = (members?: object) => Buffer.from(JSON.stringify({ policy_table: aTable(members) }));
function read(body: Buffer, hasUsage = true, known = new KnownGroups()) {
  const steps = readRequest({ body, policy }, hasUsage, known);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
/** By dimension and value, without releases. */
const countsOf = (members?: object, hasUsage = true) =>
  Object.fromEntries(
    read(bodyOf(members), hasUsage)
      .counts.filter(({ dimension }) => dimension !== "releases")
      .map(({ dimension, value, counters }) => [`${dimension} ${value}`, counters]),
  );

it("S1: the car: software, hardware, language, country", () => {
  const module_meta = { ccpu_version: "1.2", hardware_version: "HU2", language: "DE-DE", wers_country_code: "WAEGB" };
  expect(countsOf({ module_meta: { ...module_meta, vin: "WVW", pt_exchanged_at_odometer_x: 5 } })).toEqual({
    "software 1.2": { count: 1 },
    "hardware HU2": { count: 1 },
    "languages DE-DE": { count: 1 },
    "countries WAEGB": { count: 1 },
  });
  expect(read(bodyOf({ module_meta }))).toMatchObject({ software: "1.2", country: "WAEGB" });
});

it("S1: the requested apps: which entry each got, and unknown ids", () => {
  const app_policies = { AA11: null, [uuidOf(2)]: {}, [uuidOf(3).toUpperCase()]: {}, Stranger: {}, default: {} };
  expect(countsOf({ app_policies })).toEqual({
    [`apps ${uuidOf(1)}`]: { own: 1 },
    [`apps ${uuidOf(2)}`]: { default: 1 },
    [`apps ${uuidOf(3)}`]: { blocked: 1 },
    "unknownApps stranger": { count: 1 },
  });
  // Without long ids, a uuid is just another id; an app that is named twice counts once.
  const module_config = { full_app_id_supported: false };
  expect(countsOf({ app_policies: { [uuidOf(1)]: {} }, module_config })).toEqual({
    [`unknownApps ${uuidOf(1)}`]: { count: 1 },
  });
  expect(countsOf({ app_policies: { [uuidOf(1)]: {}, aa11: {} } })).toEqual({ [`apps ${uuidOf(1)}`]: { own: 1 } });
});

const level = {
  ...{ minutes_in_hmi_full: 1, minutes_in_hmi_limited: 2, minutes_in_hmi_background: 3, minutes_in_hmi_none: 4 },
  ...{ count_of_user_selections: 5, count_of_rejected_rpc_calls: 6, count_of_removals_for_bad_behavior: 7 },
  ...{ count_of_rejections_sync_out_of_memory: 8, count_of_rejections_nickname_mismatch: 16 },
  ...{ count_of_rejections_duplicate_name: 32, app_registration_language_gui: "EN-US", count_of_TLS_errors: 64 },
};
const usage_and_error_counts = { app_level: { aa11: level, stranger: level } };
const device_data = {
  aPhone: {
    ...{ os: "Android", carrier: "Wireless", hardware: "Phone" },
    user_consent_records: {
      aa11: { consent_groups: { Location: true, Secret: true } },
      device: { consent_groups: {} },
    },
  },
  another: { os: "Android", user_consent_records: { aa11: { consent_groups: { Location: false, Base: "yes" } } } },
};

it("S1: phones; with `usage` how known apps were used, and consents for groups of the table", () => {
  expect(countsOf({ usage_and_error_counts, device_data }, false)).toEqual({ "systems Android": { count: 2 } });
  expect(countsOf({ usage_and_error_counts, device_data })).toEqual({
    [`apps ${uuidOf(1)}`]: {
      ...{ reports: 1, full: 1, limited: 2, background: 3, none: 4 },
      ...{ selections: 5, rejected: 6, refused: 56, removed: 7 },
    },
    "systems Android": { count: 2 },
    "groups Location": { yes: 1, no: 1 },
  });
});

it("S2: reads nothing that identifies a car, a phone or a person", () => {
  const marked = JSON.stringify({
    policy_table: aTable({
      module_meta: { vin: "MARK1", ccpu_version: "1" },
      device_data: { MARK2: { carrier: "MARK3", hardware: "MARK4", os: "iOS", os_version: "MARK5", name: "MARK6" } },
    }),
  });
  expect(JSON.stringify(read(Buffer.from(marked)))).not.toContain("MARK");
});

const hostile: readonly (readonly [string, unknown])[] = [
  ...[
    null,
    true,
    1,
    -1,
    1e308,
    [],
    {},
    [[]],
    "",
    " ",
    "\0",
    "a\nb",
    "\u202eabc",
    "\u2028",
    "\ud800",
    "x".repeat(65),
  ].map((value) => [JSON.stringify(value), value] as const),
  ["a deep value", JSON.parse('{"a":'.repeat(50) + "1" + "}".repeat(50))],
  ["a long text", "x".repeat(100_000)],
];
it.each(hostile)("S6: %s where a text or an object is expected counts nothing", (_, value) => {
  for (const members of [
    { module_meta: { ccpu_version: value, hardware_version: value, language: value, wers_country_code: value } },
    ...[{ module_meta: value }, { device_data: { phone: value } }, { device_data: { phone: { os: value } } }],
    { device_data: { phone: { user_consent_records: value } } },
    { device_data: { phone: { user_consent_records: { app: value } } } },
    { device_data: { phone: { user_consent_records: { app: { consent_groups: value } } } } },
    {
      device_data: {
        phone: { user_consent_records: { app: { consent_groups: { Location: value === true ? 1 : value } } } },
      },
    },
    { usage_and_error_counts: { app_level: value } },
    { vehicle_data: { schema_version: value }, consumer_friendly_messages: { version: value } },
    { functional_groupings: { Base: value }, consumer_friendly_messages: { messages: value } },
  ])
    expect(countsOf(members)).toEqual({});
});

it.each([-1, 65_536, 1.5, 1e300, "5", null, [5], { a: 5 }])("S6: %j as a number of an app counts as zero", (value) => {
  const app_level = { aa11: { minutes_in_hmi_full: value, count_of_rejected_rpc_calls: 65_535 } };
  const counted = countsOf({ usage_and_error_counts: { app_level } })[`apps ${uuidOf(1)}`];
  expect(counted).toMatchObject({ reports: 1, full: 0, rejected: 65_535 });
});

it("S6: names of JavaScript's own are ordinary ids, and reach no prototype", () => {
  const names = '{"__proto__":{},"constructor":{},"toString":{}}';
  const body = JSON.stringify({ policy_table: aTable({ app_policies: "HERE", device_data: "HERE" }) });
  const { counts } = read(Buffer.from(body.replaceAll('"HERE"', names)));
  const ids = counts.flatMap(({ dimension, value }) => (dimension === "unknownApps" ? [value] : []));
  expect(ids).toEqual(["__proto__", "constructor", "tostring"]);
  expect({}).toEqual(Object.create(null) as object);
});

it("S6: more entries than a head unit can have are not read", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, { os: "iOS" }]));
  expect(countsOf({ device_data: many(1_000) })).toEqual({ "systems iOS": { count: 1_000 } });
  expect(countsOf({ device_data: many(1_100) })).toEqual({});
});

it("S6: whatever a request holds, reading it ends, and gives only finite counts of short texts", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const names = [
    "app_level",
    "os",
    "user_consent_records",
    "consent_groups",
    "ccpu_version",
    "aa11",
    "rpcs",
    "__proto__",
  ];
  const members = fc.dictionary(fc.constantFrom(...names), value);
  const table = fc.record({ module_meta: members, device_data: fc.dictionary(fc.string(), members), more: value });
  fc.assert(
    fc.property(table, members, (sent, usage) => {
      const all = { ...sent, usage_and_error_counts: usage, functional_groupings: usage };
      for (const { value: text, counters } of read(bodyOf(all)).counts) {
        expect(text.length).toBeLessThanOrEqual(64);
        for (const count of Object.values(counters)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }
    }),
    { numRuns: runs(2000), seed },
  );
});

it.each(["1-app", "10-apps", "10-apps-reduced", "50-apps"] as const)("reads what head units send: %s", (name) => {
  const body = Buffer.from(sampleRequest(name));
  const answer = answerVehicle({ environment: "production", body, acceptsGzip: false, policy, hooks: {} });
  expect(answer).toMatchObject({ status: 200, repair: null });
  const { app_policies } = JSON.parse(sampleRequest(name)).policy_table;
  const { counts } = read(body);
  const countOf = (dimension: string) => counts.filter((one) => one.dimension === dimension).length;
  expect(countOf("unknownApps")).toBe(Object.keys(app_policies).length - 3);
  expect(countOf("systems") > 0).toBe(name !== "10-apps-reduced");
  expect(countOf("releases")).toBe(1);
});

it("S4: groups that were read before are known, in a bounded number", () => {
  const known = new KnownGroups(2);
  const keyOf = (name: string) =>
    read(bodyOf({ functional_groupings: { [name]: {} } }), false, known).counts.find(
      (one) => one.dimension === "releases",
    );
  const first = ["A", "B", "C", "D"].map(keyOf);
  expect(["A", "B", "C", "D"].map(keyOf)).toEqual(first);
  expect(new Set(first.map((one) => one?.value)).size).toBe(4);
});
