import { expect, it } from "vitest";
import { compareRights } from "@/lib/exchange/migration/app-rights";
import { compareTables, type Knowledge } from "@/lib/exchange/migration/compare";
import { showModuleCertificate } from "@/lib/exchange/migration/module-certificate";
import { configMembers, entryMembers } from "@/lib/policy/head-unit/meanings";
import { convertModuleConfigs } from "@/lib/exchange/migration/convert/module-config";
import { type Loss, readTables } from "@/lib/exchange/migration/convert/tables";
import { defaultRetries } from "@/lib/vocabulary/terms";

const nothingKnown: Knowledge = {
  ...{ environment: "production", publicBaseUrl: "https://new.example.com", languages: new Set(["en-us"]), losses: [] },
  ...{ uuidsOf: (id) => [id], isBlockedWithoutVersion: () => false },
};
const compare = (theirs: unknown, ours: unknown, known: Partial<Knowledge> = {}) =>
  compareTables(theirs, ours, { ...nothingKnown, ...known });
const found = (...args: Parameters<typeof compare>) =>
  compare(...args).map(({ path, reason }) => [path.join("."), reason] as const);

const groupings = (groups: object) => ({ functional_groupings: groups });
const tableOf = (...names: readonly string[]) => ({
  ...groupings(Object.fromEntries(names.map((name) => [name, { rpcs: null }]))),
  ...entry({ groups: names }),
});
const message = (languages: object) => ({ consumer_friendly_messages: { messages: { Location: { languages } } } });
const entry = (members: object) => ({ app_policies: { a: { groups: ["Base"], ...members } } });

it("X8: the order of sets and null members are no differences; the order of retries and addresses is one", () => {
  expect(found({ a: ["x", "y"], b: null }, { a: ["y", "x", "x"] })).toEqual([]);
  const config = (retries: readonly number[], urls: readonly string[]) => ({
    module_config: { seconds_between_retries: retries, endpoints: { "0x04": { default: urls } } },
  });
  expect(found(config([1, 5], ["b", "a"]), config([5, 1], ["a", "b"]))).toEqual([
    ["module_config.endpoints.0x04.default", null],
    ["module_config.seconds_between_retries", null],
  ]);
});

it("M2: an empty list and an absent one are different, as head units read them", () => {
  expect(found(entry({}), entry({ moduleType: [] }))).toEqual([["app_policies.a.moduleType", null]]);
  const group = (rpc: object) => groupings({ Base: { rpcs: { GetVehicleData: rpc } } });
  const path = "functional_groupings.Base.rpcs.GetVehicleData.parameters";
  expect(found(group({ parameters: [] }), group({}))).toEqual([[path, null]]);
  expect(found(entry({ app_services: {} }), entry({}))).toEqual([]);
  const nulls = entry({ RequestType: null, icon_url: null });
  expect(found(nulls, entry({}))).toEqual([["app_policies.a.RequestType", null]]);
});

it("X8b: what the other server writes as an empty list is known, by what it means to cars, and nothing beside it", () => {
  const vehicleData = (...items: readonly object[]) => ({ vehicle_data: { schema_items: items } });
  const [gps, x] = [
    { name: "gps", type: "Struct" },
    { name: "x", type: "Float" },
  ];
  const theirs = vehicleData({ ...x, params: [] }, { ...gps, params: [{ ...x, params: [] }] });
  const same = "the same to cars: only a Struct has params";
  expect(found(theirs, vehicleData(x, { ...gps, params: [x] }))).toEqual([
    ["vehicle_data.schema_items.gps.params.x.params", same],
    ["vehicle_data.schema_items.x.params", same],
  ]);
  expect(found(vehicleData(x), vehicleData({ ...x, params: [] }))[0]?.[1]).toBeNull();
  expect(found(vehicleData({ ...gps, params: [] }), vehicleData(gps))[0]?.[1]).toBeNull();

  const app = (AppHMIType: readonly string[], members: object) => entry({ AppHMIType, nicknames: ["A"], ...members });
  const told = (types: readonly string[], members: object, nickname = "A") => {
    const [there, here] = [app(types, members), app(types, { nicknames: [nickname] })];
    const differences = compare(there, here);
    const [change] = compareRights(there, here, differences);
    return [differences.map(({ path, reason }) => [path.at(-1), reason]), change?.less, change?.isExplained];
  };
  const why = expect.stringMatching(/^the app requests no module: the other server then gives it every one/);
  expect(told(["REMOTE_CONTROL"], { moduleType: [] })).toEqual([
    ...[[["moduleType", why]], ["moduleType, every one"], true],
  ]);
  const unused = "the same to cars: only apps of the type REMOTE_CONTROL use modules";
  expect(told(["MEDIA"], { moduleType: [] })).toEqual([[["moduleType", unused]], undefined, undefined]);
  expect(told(["REMOTE_CONTROL"], { moduleType: ["SEAT"] })[0]).toEqual([["moduleType", null]]);
  // A name changed by hand stands out.
  const renamed = [["moduleType", unused], ["nicknames", null]]; // oxfmt-ignore
  expect(told(["MEDIA"], { moduleType: [] }, "B")).toEqual([renamed, ["nicknames: a"], false]);
});

/** For each member what cars take for absent: its empty value, null (or what no car accepts), both or neither. */
const sameAsAbsent: readonly (readonly [section: string, empty: unknown, members: Readonly<Record<string, string>>])[] =
  [
    [
      "app_policies.a",
      [],
      {
        ...{ AppHMIType: "null", nicknames: "empty null", groups: "null", preconsented_groups: "empty null" },
        ...{ moduleType: "null", RequestType: "", RequestSubType: "" },
        ...{ "app_services.MEDIA.service_names": "null", "app_services.MEDIA.handled_rpcs": "null" },
      },
    ],
    [
      "app_policies.a",
      "",
      {
        ...{ priority: "empty null", default_hmi: "empty null", hybrid_app_preference: "null", endpoint: "null" },
        ...{ auth_token: "empty null", cloud_transport_type: "empty null", icon_url: "empty null" },
        certificate: "empty null",
      },
    ],
    [
      "app_policies.a",
      false,
      {
        ...{ keep_context: "null", steal_focus: "null", encryption_required: "null" },
        ...{ allow_unknown_rpc_passthrough: "empty null", enabled: "empty null" },
      },
    ],
    ["app_policies.a", {}, { app_services: "empty null" }],
    ["app_policies.a", 0, { heart_beat_timeout_ms: "empty null" }],
    [
      "module_config",
      0,
      {
        ...{ exchange_after_x_ignition_cycles: "null", exchange_after_x_kilometers: "null" },
        ...{ exchange_after_x_days: "null", timeout_after_x_seconds: "null" },
        "notifications_per_minute_by_priority.NORMAL": "empty null",
        "subtle_notifications_per_minute_by_priority.NORMAL": "empty null",
      },
    ],
    [
      "module_config",
      {},
      {
        ...{ endpoints: "empty null", endpoint_properties: "empty null", notifications_per_minute_by_priority: "null" },
        subtle_notifications_per_minute_by_priority: "null",
      },
    ],
    ["module_config", [], { seconds_between_retries: "null" }],
    [
      "module_config",
      "",
      {
        certificate: "null",
        vehicle_make: "null",
        vehicle_model: "null",
        vehicle_year: "null",
        preloaded_date: "null",
      },
    ],
    [
      "module_config",
      false,
      { lock_screen_dismissal_enabled: "null", full_app_id_supported: "empty null", preloaded_pt: "null" },
    ],
  ];

it.each(sameAsAbsent)(
  "X8a, head-unit-rules 17: what cars take for absent in %s, empty %j",
  (section, empty, members) => {
    const found = Object.keys(members).map((member) => {
      const path = `${section}.${member}`.split(".");
      const tableOf = (value: unknown) =>
        path.reduceRight<unknown>((inner, name) => ({ ...(inner !== undefined && { [name]: inner }), b: 1 }), value);
      const isSame = (value: unknown) => compare(tableOf(undefined), tableOf(value)).length === 0;
      return [member, [...(isSame(empty) ? ["empty"] : []), ...(isSame(null) ? ["null"] : [])].join(" ")] as const;
    });
    expect(Object.fromEntries(found)).toEqual(members);
  },
);

it("X8a, head-unit-rules 17: every member is covered", () => {
  const covered = (section: string) =>
    sameAsAbsent.flatMap(([of, , members]) => (of === section ? Object.keys(members) : []));
  expect(covered("app_policies.a")).toEqual(expect.arrayContaining(Object.keys(entryMembers)));
  expect(covered("module_config")).toEqual(expect.arrayContaining(Object.keys(configMembers)));
});

it("X8a: a list of default counts for apps that leave out theirs", () => {
  const table = (own: object) => ({
    app_policies: { default: { groups: ["Base"], RequestType: [] }, a: { groups: ["Base"], ...own } },
  });
  expect(compareRights(table({}), table({ RequestType: [] }), [])).toEqual([]);
  expect(compareRights(table({}), table({ RequestType: ["HTTP"] }), [])[0]?.less).toEqual(["RequestType, every one"]);
});

it("X8: a service without RPCs, and one that handles the reserved one, are the same", () => {
  const serving = (...ids: readonly number[]) =>
    entry({ app_services: { WEATHER: { handled_rpcs: ids.map((function_id) => ({ function_id })) } } });
  expect(found(serving(), serving(0))).toEqual([]);
  expect(found(serving(2, 1), serving(0, 1, 2))).toEqual([]);
  expect(found(serving(1), serving(0))).toEqual([["app_policies.a.app_services.WEATHER.handled_rpcs", null]]);
});

it("X8: vehicle data is compared by names, nested items included", () => {
  const item = (name: string, ...params: readonly object[]) => ({ name, key: name, type: "Struct", params });
  const data = (...items: readonly object[]) => ({ vehicle_data: { schema_items: items } });
  expect(found(data(item("b"), item("a", { name: "x" })), data(item("a", { name: "x" }), item("b")))).toEqual([]);
  expect(found(data(item("a", { name: "x", array: true })), data(item("a", { name: "x" })))).toEqual([
    ["vehicle_data.schema_items.a.params.x.array", null],
  ]);
});

it("M2: a loss explains the member that it names by its exact path, and nothing beside it", () => {
  const losses: Loss[] = [
    ...[{ table: "app_info", what: "app a, version 1 (record 4)", reason: "cut", at: "nicknames" } as const],
    ...[{ table: "app_oem_enablements", what: "app a", reason: "there is no switch unheard_of" } as const],
    ...[{ table: "app_info", what: "app b, version 2 (record 5)", reason: "cannot be used" } as const],
    ...[{ table: "module_config", what: "module config 7", reason: "too many", at: "exchange_after_x_days" } as const],
    { table: "message_text", what: "message Location (record 1)", reason: "too long", at: "languages.en-us.tts" },
  ];
  const theirs = { app_policies: { a: { nicknames: ["Long"], groups: ["Base", "Partner"] }, b: {}, c: {} } };
  const ours = { app_policies: { a: { nicknames: ["Lon"], groups: ["Base"] }, b: "default", c: "default" } };
  expect(found(theirs, ours, { losses })).toEqual([
    ["app_policies.a.groups", null],
    ["app_policies.a.nicknames", "app a, version 1 (record 4): cut"],
    ["app_policies.b", "app b, version 2 (record 5): cannot be used"],
    ["app_policies.c", null],
  ]);
  expect(found({ app_policies: { a: {} } }, { app_policies: { a: "default" } }, { losses })[0]?.[1]).toBeNull();
  const text = (members: object) => message({ "en-us": members });
  expect(found(text({ tts: "aa", line1: "b" }), text({ tts: "a" }), { losses })).toEqual([
    ["consumer_friendly_messages.messages.Location.languages.en-us.line1", null],
    ["consumer_friendly_messages.messages.Location.languages.en-us.tts", "message Location (record 1): too long"],
  ]);
  const days = (exchange_after_x_days: number, certificate: string) => ({
    module_config: { exchange_after_x_days, certificate },
  });
  expect(found(days(300, "A"), days(255, "B"), { losses })).toEqual([
    ["module_config.certificate", null],
    ["module_config.exchange_after_x_days", "module config 7: too many"],
  ]);
});

it("X8: an entry lacks a group for the reason for which the table lacks it", () => {
  const losses: Loss[] = [{ table: "function_group_info", what: "group Long (record 3)", reason: "name too long" }];
  expect(found(tableOf("Base", "Long"), tableOf("Base"), { losses })).toEqual([
    ["app_policies.a.groups", "group Long (record 3): name too long"],
    ["functional_groupings.Long", "group Long (record 3): name too long"],
  ]);
  const [more] = found(tableOf("Base", "Long", "More"), tableOf("Base"), { losses });
  expect(more).toEqual(["app_policies.a.groups", null]);
});

it("X7, X8: a group whose name was cut is known under both names, in the table and in entries", () => {
  const cut = { what: "group Longest (record 3)", reason: "cut", now: "group Long" };
  const losses: Loss[] = [{ table: "function_group_info", ...cut }];
  const reason = "group Longest (record 3): cut";
  expect(found(tableOf("Base", "Longest"), tableOf("Base", "Long"), { losses })).toEqual([
    ["app_policies.a.groups", reason],
    ["functional_groupings.Long", reason],
    ["functional_groupings.Longest", reason],
  ]);
  const more = found(tableOf("Base", "Longest"), tableOf("Base", "Long", "More"), { losses });
  expect(more.filter(([, known]) => known === null).map(([path]) => path)).toEqual([
    "app_policies.a.groups",
    "functional_groupings.More",
  ]);
});

it("M3: what differs whatever was carried over is known, each by its path and by what it is", () => {
  const endpoints = (host: string, update: string) => ({
    "0x07": { default: [`https://${host}.example.com/api/v1/production/policy`] },
    queryAppsUrl: { default: [`https://${host}.example.com/api/v1/queryApps`] },
    "0x04": { default: [update] },
  });
  const emergency = (...parameters: readonly string[]) =>
    groupings({ "Emergency-1": { rpcs: { SubscribeVehicleData: { hmi_levels: ["FULL"], parameters } } } });
  const theirs = {
    module_config: { preloaded_pt: false, endpoints: endpoints("old", "https://elsewhere.example.com/update") },
    vehicle_data: { schema_version: "1.000" },
    ...emergency("gps"),
    ...message({ "es-en": { tts: "a" }, "en-us": {}, "de-de": { tts: null } }),
    app_policies: { blocked: "default", other: "default" },
  };
  const ours = {
    module_config: { endpoints: endpoints("new", "https://new.example.com/api/v1/softwareUpdate") },
    vehicle_data: { schema_version: "2.000" },
    ...emergency("clusterModeStatus", "gps"),
    ...message({ "en-us": {} }),
    app_policies: { blocked: null, other: null },
  };
  const known = { isBlockedWithoutVersion: (id: string) => id === "blocked" };
  const open = found(theirs, ours, known).flatMap(([path, reason]) => (reason === null ? path : []));
  expect(open).toEqual(["app_policies.other", "module_config.endpoints.0x04.default"]);
  // Nothing but this parameter, and only as one that is here and not there.
  const parameters = "functional_groupings.Emergency-1.rpcs.SubscribeVehicleData.parameters";
  expect(found(ours, theirs, known)).toContainEqual([parameters, null]);
  expect(found(emergency("gps"), emergency("clusterModeStatus"), known)).toEqual([[parameters, null]]);
});

it("X8: a difference of groups that is known explains what apps with them may do, and nothing else", () => {
  const table = (parameters: readonly string[], levels: readonly string[]) => ({
    functional_groupings: {
      Base: { rpcs: { Show: { hmi_levels: levels } } },
      "Emergency-1": { rpcs: { SubscribeVehicleData: { hmi_levels: ["FULL"], parameters } } },
    },
    app_policies: {
      default: { groups: ["Base"] },
      ...{ device: { groups: ["Base"] }, pre_DataConsent: { groups: ["Base"] } },
      a: { groups: ["Base", "Emergency-1"] },
      b: "default",
    },
  });
  const rights = (theirs: unknown, ours: unknown) => compareRights(theirs, ours, compare(theirs, ours));
  const cluster = ["clusterModeStatus", "gps"];
  expect(rights(table(["gps"], ["FULL"]), table(cluster, ["FULL"]))).toEqual([
    {
      ...{ id: "a", less: [], isExplained: true },
      more: expect.arrayContaining(["SubscribeVehicleData with clusterModeStatus"]),
    },
  ]);
  const changed = rights(table(["gps"], ["FULL"]), table(cluster, []));
  expect(changed.map(({ id, isExplained }) => `${id} ${isExplained}`).toSorted()).toEqual([
    ...["a false", "b false", "default false", "device false", "pre_DataConsent false"],
  ]);
  expect(changed.find(({ id }) => id === "b")?.less).toContain("Show at FULL");
  // A veto is one for regular cars only.
  expect(rights(table([], ["FULL"]), table(["gps"], ["FULL"]))[0]?.more[0]).toBe(
    "SubscribeVehicleData at FULL with gps",
  );
});

it("M2: a module certificate is told by certificate and key, its text and its secrets are not", () => {
  const shown = showModuleCertificate("CERT\nSECRET", null);
  expect(shown).toBe(showModuleCertificate("CERT\nSECRET\n", "any"));
  expect(shown).not.toBe(showModuleCertificate("CERT\nOTHER", null));
  expect(shown).toMatch(/^not readable, SHA-256 [0-9a-f]{16}$/);
  expect(showModuleCertificate(undefined, null)).toBeUndefined();
});

const priorities = ["emergency", "navigation", "projection", "voicecom", "communication", "normal", "none"];
const moduleRow = {
  ...Object.fromEntries(
    ["", "subtle_"].flatMap((prefix) => priorities.map((one) => [`${prefix}${one}_notifications`, 1])),
  ),
  ...{ id: 7, status: "PRODUCTION", created_ts: 0, updated_ts: 0, preloaded_pt: false },
  ...{ exchange_after_x_ignition_cycles: 1, exchange_after_x_kilometers: 1, exchange_after_x_days: 1 },
  ...{ timeout_after_x_seconds: 1, endpoint_0x04: "https://a\0.example", query_apps_url: "https://b.example" },
  ...{ lock_screen_default_url: "https://c.example", custom_vehicle_data_mapping_url: "" },
  ...{ lock_screen_dismissal_enabled: true, private_key: null, certificate: null, expiration_ts: null },
};

it("G12: what would end the updates of cars is not taken over: a list of retries is told, a NUL replaced", () => {
  const data = readTables((name) => (name === "module_config" ? [moduleRow] : []));
  const losses: Loss[] = [];
  const lose = (loss: Loss) => losses.push(loss);
  const [config] = convertModuleConfigs(data, (key) => key, lose);
  expect(config?.secondsBetweenRetries).toEqual(defaultRetries);
  expect(config?.endpoints["0x04"]).toBe("https://a?.example");
  expect(losses).toMatchObject([{ what: "module config 7", at: "seconds_between_retries" }]);
  const tables = [[], defaultRetries].map((retries) => ({ module_config: { seconds_between_retries: retries } }));
  expect(compare(tables[0], tables[1], { losses })).toMatchObject([{ reason: expect.stringContaining("instead") }]);
});
