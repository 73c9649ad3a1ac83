import { describe, expect, it } from "vitest";
import { buildSegment } from "@/lib/policy/preview";
import { copiedMembers, PolicyRequestError, readPolicyTable, readSegment } from "@/lib/policy/answer/policy-request";
import { aCatalogue, anApp, aSnapshot } from "@/test/support/builders";
import { answeredTable, answerText, compiled, shortenedTable } from "@/test/support/answers";

const members = [
  ...["app_policies", "consumer_friendly_messages", "device_data", "functional_groupings", "module_config"],
  "usage_and_error_counts",
];
const noObjects: readonly unknown[] = [null, [], "text", 1, true];

describe("R1: required members", () => {
  it.each(noObjects)("R1: refuses %j as policy_table", (value) => {
    expect(() => readPolicyTable(value)).toThrow(new PolicyRequestError("policy_table must be an object"));
    expect(() => readSegment(value)).toThrow(new PolicyRequestError("policy_table must be an object"));
  });

  it("R1: refuses a body without policy_table", () =>
    expect(() => readPolicyTable(undefined)).toThrow(new PolicyRequestError("policy_table is missing")));

  it.each(members)("R1: refuses a table whose %s is absent, null or no object", (name) => {
    for (const value of noObjects) {
      const table = { ...shortenedTable({}), [name]: value };
      expect(() => readPolicyTable(table)).toThrow(new PolicyRequestError(`policy_table.${name} must be an object`));
    }
    const { [name]: _, ...without } = shortenedTable({}) as Record<string, unknown>;
    expect(() => readPolicyTable(without)).toThrow(new PolicyRequestError(`policy_table.${name} is missing`));
  });

  it("R1: names the first missing member, in the order of the rule", () =>
    members.forEach((name, position) => {
      const present = Object.fromEntries(members.slice(0, position).map((member) => [member, {}]));
      expect(() => readPolicyTable(present)).toThrow(new PolicyRequestError(`policy_table.${name} is missing`));
    }));

  it("R1: takes empty objects", () => {
    const table = Object.fromEntries(members.map((name) => [name, {}]));
    expect(readPolicyTable(table)).toEqual({ apps: [], fullAppIdSupported: false, isOlder: true });
  });

  it("R1: an inherited member was not sent", () => {
    const { device_data: _, ...rest } = shortenedTable({});
    const table = Object.assign(Object.create({ device_data: {} }) as object, rest);
    expect(() => readPolicyTable(table)).toThrow("policy_table.device_data is missing");
  });

  it("R1, R3: the count of app ids is checked after the members", () => {
    const apps = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`app-${index}`, {}]));
    const { usage_and_error_counts: _, ...table } = shortenedTable(apps);
    expect(() => readPolicyTable(table)).toThrow("policy_table.usage_and_error_counts is missing");
  });

  it("G3: an app segment needs app_policies only", () => {
    expect(readSegment({ app_policies: { a: {} } })).toEqual({
      ...{ apps: [["a", {}]], fullAppIdSupported: false },
      isOlder: false,
    });
    expect(readSegment({ app_policies: {}, module_config: { full_app_id_supported: true } }).fullAppIdSupported).toBe(
      true,
    );
    expect(() => readSegment(undefined)).toThrow("policy_table is missing");
    expect(() => readSegment({ module_config: {} })).toThrow("policy_table.app_policies is missing");
  });
});

it.each([
  ["vehicle_data", null],
  ["vehicle_data", { schema_version: 7 }],
  ["module_meta", [1, 2]],
  ["anything else", "text"],
])("R2: ignores the member %s with %j", async (name, value) => {
  const policy = await compiled(aSnapshot(), "production");
  const plain = answerText(policy, shortenedTable({ a: {} }));
  expect(answerText(policy, { ...shortenedTable({ a: {} }), [name]: value })).toBe(plain);
});

describe("R3: the requested app ids", () => {
  it("R3: are the own keys of app_policies in order, whatever their values are", async () => {
    const apps = { zz: {}, aa: "text", mm: null, bb: 5, __proto__: { inherited: {} } };
    const { apps: read } = readPolicyTable(shortenedTable(apps));
    expect(read.map(([id]) => id)).toEqual(["zz", "aa", "mm", "bb"]);
    const answered = JSON.parse(answerText(await compiled(aSnapshot(), "production"), shortenedTable(apps)));
    const names = ["zz", "aa", "mm", "bb", "default", "device", "pre_DataConsent"];
    expect(Object.keys(answered.data[0].policy_table.app_policies)).toEqual(names);
  });

  it("R3: at most 1,000", () => {
    const ids = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`app-${index}`, {}]));
    expect(() => readPolicyTable(shortenedTable(ids(1_001)))).toThrow(PolicyRequestError);
    expect(() => readSegment({ app_policies: ids(1_001) })).toThrow("holds more than 1000 app ids");
    // The table of a head unit that is full holds the fixed entries as well.
    const fixed = { default: {}, device: {}, pre_DataConsent: {} };
    expect(readPolicyTable(shortenedTable({ ...ids(1_000), ...fixed })).apps.at(-1)).toEqual(["app-997", {}]);
  });

  it.each([998, 999, 1_000])(
    "finding A5: of %i ids so many get an entry that head units take the answer",
    async (count) => {
      const ids = Object.fromEntries(Array.from({ length: count }, (_, index) => [`app-${index}`, {}]));
      const table = answeredTable(await compiled(aSnapshot(), "production"), shortenedTable(ids));
      const names = Object.keys(table.app_policies);
      expect(names.filter((name) => name !== "device")).toHaveLength(1_000);
      expect(names.slice(997)).toEqual(["app-997", "default", "device", "pre_DataConsent"]);
    },
  );

  it.each(["\ud83d", "\ude00", "a\udc00b"])(
    "finding A5: leaves out an id with half a surrogate pair: %j",
    async (half) => {
      const policy = await compiled(aSnapshot(), "production");
      const apps = { before: {}, [half]: {}, "\u{1f697}": {} };
      const { app_policies } = answeredTable(policy, shortenedTable(apps));
      expect(Object.keys(app_policies)).toEqual(["before", "\u{1f697}", "default", "device", "pre_DataConsent"]);
      const segment = JSON.stringify(buildSegment(policy, { app_policies: apps }));
      expect(JSON.parse(segment)).toEqual([{ policy_table: { app_policies } }]);
    },
  );
});

describe("R4: long or short ids", () => {
  it.each([true, 1, "true", "false", {}, []])("R4: %j means long ids", (value) => {
    expect(readPolicyTable(shortenedTable({}, value)).fullAppIdSupported).toBe(true);
  });

  it.each([false, 0, "", null, undefined])("R4: %j means short ids", (value) => {
    expect(readPolicyTable(shortenedTable({}, value)).fullAppIdSupported).toBe(false);
  });

  it("R4: absent or inherited means short ids", () => {
    const config: unknown = Object.create({ full_app_id_supported: true });
    for (const module_config of [{}, config]) {
      expect(readPolicyTable({ ...shortenedTable({}), module_config }).fullAppIdSupported).toBe(false);
    }
  });
});

it("R5: the client's versions never shorten the answer", async () => {
  const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
  const table = shortenedTable({ "11111111aa": {} });
  const full = answerText(policy, table);
  const { consumer_friendly_messages, vehicle_data } = JSON.parse(full).data[0].policy_table;
  const upToDate = {
    ...table,
    consumer_friendly_messages: { version: consumer_friendly_messages.version },
    vehicle_data: { schema_version: vehicle_data.schema_version },
  };
  expect(answerText(policy, upToDate)).toBe(full);
});

it("R6: reading and answering leave the request as it was", async () => {
  const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
  const table = shortenedTable({ "11111111aa": { enabled: true, auth_token: "secret" }, other: { auth_token: "x" } });
  const before = structuredClone(table);
  answerText(policy, table);
  expect(table).toEqual(before);
});

describe("A12: members copied from the request", () => {
  it("A12: copies enabled and auth_token of the right type, in this order", () => {
    expect(copiedMembers({ auth_token: 't"1', enabled: false, other: 1 })).toBe(
      ',"enabled":false,"auth_token":"t\\"1"',
    );
    expect(copiedMembers({ enabled: true })).toBe(',"enabled":true');
    expect(copiedMembers({ auth_token: "" })).toBe(',"auth_token":""');
  });

  it.each([null, 0, 1, "true", [], {}])("A12: drops enabled %j", (enabled) => {
    expect(copiedMembers({ enabled, auth_token: "t" })).toBe(',"auth_token":"t"');
  });

  it.each([null, 0, true, ["t"], { t: 1 }])("A12: drops auth_token %j", (auth_token) => {
    expect(copiedMembers({ enabled: true, auth_token })).toBe(',"enabled":true');
  });

  it.each(["\ud800", "a\udfffb", "\udc00\ud800"])("A12: drops a token with half a surrogate pair (%j)", (auth_token) =>
    expect(copiedMembers({ auth_token })).toBe(""),
  );

  it("A12: counts a token's bytes, not its characters", () => {
    expect(copiedMembers({ auth_token: "x".repeat(65_535) })).toHaveLength(65_535 + ',"auth_token":""'.length);
    expect(copiedMembers({ auth_token: "x".repeat(65_536) })).toBe("");
    expect(copiedMembers({ auth_token: "ü".repeat(32_767) })).not.toBe("");
    expect(copiedMembers({ auth_token: "ü".repeat(32_768) })).toBe("");
    expect(copiedMembers({ auth_token: "\u{1f600}".repeat(16_383) })).not.toBe("");
    expect(copiedMembers({ auth_token: "\u{1f600}".repeat(16_384) })).toBe("");
  });

  it.each([null, undefined, "enabled", 5, [{ enabled: true }]])("A12: looks into objects only, not into %j", (sent) => {
    expect(copiedMembers(sent)).toBe("");
  });

  it("A12: reads own properties only", () =>
    expect(copiedMembers(Object.create({ enabled: true, auth_token: "t" }))).toBe(""));
});
