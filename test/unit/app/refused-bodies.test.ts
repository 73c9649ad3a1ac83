/** What a 400 says (`api.md` 0.5): the cause, and which element it is about. Rules that need stored data: test/api. */
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import * as bulk from "@/lib/apps/applications/bulk/schema";
import * as applications from "@/lib/apps/applications/schema";
import { appCertificateBody } from "@/lib/certificates/schema";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { listMessagesQuery, saveMessagesBody } from "@/lib/records/messages/schema";
import { moduleConfigBody } from "@/lib/records/module-config/schema";
import { promoteBody } from "@/lib/records/store/query";
import { findUnknownType, readTree } from "@/lib/records/vehicle-data/rules";
import { vehicleDataBody } from "@/lib/records/vehicle-data/schema";
import { parseInput } from "@/lib/platform/http/read/parse-input";
import { matrixQuery, simulateBody } from "@/lib/policy/why/schema";
import { moduleConfigBody as aModuleConfig } from "@/test/support/module-config";

type Row = readonly [sentence: string | RegExp, ...values: unknown[]];

function refuses(schema: z.ZodType, build: (value: any) => unknown, rows: readonly Row[]): void {
  const each = rows.flatMap(([sentence, ...values]) => values.map((value) => [value, sentence] as const));
  it.each(each)("%j: %s", (value, sentence) => {
    const exactly = typeof sentence === "string" ? sentence : expect.stringMatching(sentence);
    expect(() => parseInput(schema, build(value))).toThrow(
      expect.objectContaining({ code: "invalid", message: exactly }),
    );
  });
}
const itself = (value: unknown) => value;
const integer = (name: string, from: number, to: number) => `${name} must be an integer from ${from} to ${to}`;

describe("POST groups (11.4)", () => {
  const needs = "A group needs name, is_default and rpcs";
  const ofRpc = "An RPC needs name, selected, hmi_levels and parameters";
  const ofLevel = "An HMI level needs value and selected";
  const ofParameter = "A parameter needs key and selected";
  const level = (value: unknown, selected: unknown = true) => ({ value, selected });
  const parameter = (key: unknown, selected: unknown = true) => ({ key, selected });
  const anRpc = (partial: object = {}) => ({
    ...{ name: "Show", selected: true, hmi_levels: [level("FULL")], parameters: [] },
    ...partial,
  });
  const aGroup = (partial: object) => ({ name: "Base", is_default: false, rpcs: [anRpc()], ...partial });
  const withRpc = (partial: object) => aGroup({ rpcs: [anRpc(partial)] });
  const badLevel = anRpc({ hmi_levels: [level("HMI_FULL")] });
  const badParameter = anRpc({ parameters: [parameter(1)] });

  refuses(saveGroupBody, aGroup, [
    [needs, { name: undefined }, { name: { $gt: "" } }, { is_default: undefined }, { is_default: "true" }],
    [needs, { rpcs: undefined }, { rpcs: {} }],
    ["name must not be blank", { name: " \t" }],
    ["name must not hold U+200B zero-width space", { name: "\u200b" }, { name: "a\u200bb\u202e" }],
    ["name must not hold U+202E right-to-left override", { name: "a\u202eb" }],
    ["name must not hold U+000A line break", { name: "a\nb" }],
    [`${needs}: name is longer than 255 bytes`, { name: "ä".repeat(128) }],
    [`${needs}: name holds half a surrogate pair`, { name: "a\ud800" }],
    [`${needs}: name holds a NUL`, { name: "a\0b" }],
    ["is_device must be true or false", { is_device: 1 }],
    ["is_deleted must be true or false", { is_deleted: null }],
    ["description must be a text or null", { description: [] }],
    ["user_consent_prompt must be a text or null", { user_consent_prompt: { $ne: 1 } }],
    ["user_consent_prompt holds a NUL", { user_consent_prompt: "a\0b" }],
    ["base_id must be an integer", { base_id: 1.5 }, { base_id: 1e99 }],
    [needs, { is_default: 1, rpcs: [badLevel, null] }],
    [`${ofRpc} (rpcs[1])`, { rpcs: [badLevel, anRpc({ name: 1 })] }],
    [`${ofLevel} (rpcs[1].hmi_levels[0])`, { rpcs: [badParameter, badLevel] }],
    [`${ofParameter} (rpcs[0].parameters[0])`, { is_device: 1, rpcs: [badParameter] }],
    [`${ofRpc} (rpcs[1])`, { rpcs: [anRpc(), null] }],
  ]);
  refuses(saveGroupBody, withRpc, [
    [`${ofRpc} (rpcs[0])`, { name: "" }, { selected: undefined }, { hmi_levels: null }, { parameters: {} }],
    [`${ofRpc}: name is longer than 64 characters (rpcs[0])`, { name: "x".repeat(65) }],
    [`${ofLevel} (rpcs[0].hmi_levels[0])`, { hmi_levels: [level("HMI_FULL")] }, { hmi_levels: [null] }],
    [`${ofLevel} (rpcs[0].hmi_levels[1])`, { hmi_levels: [level("FULL"), { value: "FULL" }] }],
    [`${ofParameter} (rpcs[0].parameters[0])`, { parameters: [parameter(1)] }],
    [`${ofParameter} (rpcs[0].parameters[1])`, { parameters: [parameter("a"), { key: "gps" }] }],
    [/: key is longer than 64 characters \(rpcs\[0\]\.parameters\[0\]\)$/, { parameters: [parameter("k".repeat(65))] }],
    [`${ofParameter}: key holds a NUL (rpcs[0].parameters[0])`, { parameters: [parameter("g\0s")] }],
  ]);

  it("X1b: blanks around a name go; the deletion of an older item is taken, whatever its name", () => {
    const nameOf = (partial: object) => (parseInput(saveGroupBody, aGroup(partial)) as { name: string }).name;
    expect([nameOf({ name: " Seats " }), nameOf({ name: "a\u200b ", is_deleted: true })]).toEqual([
      "Seats",
      "a\u200b ",
    ]);
    const message = { message_category: " Seats", languages: [{ language_id: "en-us", selected: true }] };
    const categories = [false, true].map((is_deleted) =>
      saveMessagesBody.parse({ messages: [{ ...message, is_deleted }] }),
    );
    expect(categories.map(({ messages }) => messages[0]?.message_category)).toEqual(["Seats", " Seats"]);
    expect(() => readTree({ name: "a\u200b", key: "k", type: "Float", is_deleted: true })).not.toThrow();
  });

  it("no more than 100 parameters of one RPC, doubles not counted; the deletion of such a group is taken", () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => parameter(`p${index}`));
    const twice = [anRpc({ parameters: keys(100) }), anRpc({ parameters: keys(100) })];
    expect(saveGroupBody.safeParse(aGroup({ rpcs: twice })).success).toBe(true);
    const tooMany = withRpc({ parameters: keys(101) });
    expect(() => parseInput(saveGroupBody, tooMany)).toThrow("The RPC Show has more than 100 parameters");
    expect(saveGroupBody.safeParse({ ...tooMany, is_deleted: true }).success).toBe(true);
  });
});

describe("POST applications/certificate (6.2)", () => {
  const own = { app_uuid: "a", clientKey: "k", certificate: "c" };
  const needs = "options.app_uuid, options.clientKey and options.certificate are required and must be strings";
  refuses(appCertificateBody, itself, [
    [needs, {}, { options: null }, { options: { app_uuid: "a" } }, { options: { ...own, app_uuid: 5 } }],
    [needs, { options: { ...own, clientKey: { $ne: 1 } } }, { options: { ...own, certificate: "" } }],
    ["options must be an object", { options: [] }, { options: "x" }],
  ]);
});

describe("POST messages (12.3)", () => {
  const needs = "A message needs message_category and is_deleted";
  const ofLanguage = "A language needs language_id and selected";
  const aLanguage = (language_id: unknown, texts: object = {}) => ({ language_id, selected: true, ...texts });
  const en = aLanguage("en-us", { tts: "Where you are." });
  const de = (texts: object = {}) => aLanguage("de-de", texts);
  const aMessage = (partial: object = {}) => ({
    ...{ message_category: "Location", is_deleted: false, languages: [en] },
    ...partial,
  });

  refuses(saveMessagesBody, (messages) => ({ messages }), [
    ["messages must be a list", undefined, { 0: aMessage() }],
    [`${needs} (messages[0])`, [null]],
    [`${needs} (messages[1])`, [aMessage({ languages: [null] }), aMessage({ is_deleted: 1 })]],
    ["A selected en-us text is required (messages[1])", [aMessage(), aMessage({ languages: [de()] })]],
  ]);
  refuses(saveMessagesBody, (partial: object) => ({ messages: [aMessage(partial)] }), [
    [`${needs} (messages[0])`, { message_category: undefined }, { message_category: "" }, { is_deleted: undefined }],
    [`${needs}: message_category is longer than 255 bytes (messages[0])`, { message_category: "é".repeat(128) }],
    [`${needs}: message_category holds half a surrogate pair (messages[0])`, { message_category: "\udc00" }],
    [`${needs}: message_category holds a NUL (messages[0])`, { message_category: "a\0b" }],
    [`${needs}: languages must be a list (messages[0])`, { languages: undefined }],
    ["message_category must not be blank (messages[0])", { message_category: " " }],
    ["message_category must not hold U+200E left-to-right mark (messages[0])", { message_category: "Seats\u200e" }],
    [/base_id must be an integer/, { base_id: 1e99 }],
  ]);
  refuses(saveMessagesBody, (languages) => ({ messages: [aMessage({ languages })] }), [
    [`${ofLanguage} (messages[0].languages[0])`, [null], [{ language_id: "en-us" }]],
    [`${ofLanguage} (messages[0].languages[1])`, [en, aLanguage(7)]],
    ["A selected en-us text is required (messages[0])", [], [{ ...en, selected: false }, de()]],
    ["Unknown language: german (messages[0])", [en, aLanguage("german")]],
    ["Language en-us is listed twice (messages[0])", [en, aLanguage("EN-US")]],
  ]);
  refuses(saveMessagesBody, (texts: object) => ({ messages: [aMessage({ languages: [en, de(texts)] })] }), [
    ["Language de-de: tts must be a text or null (messages[0].languages[1])", { tts: 5 }],
    ["Language de-de: label must be a text or null (messages[0].languages[1])", { label: { $gt: "" } }],
    ["Language de-de: line1 is longer than 65,535 bytes (messages[0].languages[1])", { line1: "x".repeat(65_536) }],
    ["Language de-de: text_body holds half a surrogate pair (messages[0].languages[1])", { text_body: "\ud83d" }],
    ["Language de-de: line2 holds a NUL (messages[0].languages[1])", { line2: "a\0b" }],
  ]);
});

describe("POST vehicle-data (14.3)", () => {
  const anItem = (partial: object = {}) => ({ name: "scent", key: "OEM", type: "Integer", ...partial });
  const aStruct = (...params: unknown[]) => ({ name: "cabin", key: "OEM", type: "Struct", params });
  const nested = (levels: number): object => aStruct(...(levels > 1 ? [nested(levels - 1)] : []));
  const many = (count: number) => Array.from({ length: count }, (_, index) => anItem({ name: `n${index}` }));
  const within = (...params: unknown[]) => ({ ...aStruct(...params), name: "inner" });
  const refused = (name: string) => new RegExp(`^${name} is refused by head units: `);
  const size = (name: string) => `${name} must be an integer of 0 or more`;

  refuses(vehicleDataBody, itself, [
    ["name is required", {}, { name: "" }, { name: null, key: "k", type: "Float" }],
    ["key is required", { name: "n" }, { name: "bad name" }],
    ["type is required", { name: "n", key: "k" }],
  ]);
  refuses(vehicleDataBody, anItem, [
    ["name must be a string", { name: 5 }, { name: { $gt: "" } }],
    [refused("name"), { name: "bad name" }, { name: "a$b" }, { name: "é".repeat(128) }, { name: "a\0b" }],
    [refused("key"), { key: "a\tb" }, { key: "K\0" }],
    ["key must not hold control characters", { key: "a\ud800b" }],
    ["name must not be blank", { name: "\u00a0" }],
    ["key must not hold U+2066 left-to-right isolate", { key: "k\u2066" }],
    ["type is not a known type", { type: "a\0" }],
    ["mandatory must be true or false", { mandatory: 1 }],
    ["array must be true or false", { array: "yes" }],
    ["is_deleted must be true or false", { is_deleted: [] }],
    [size("min_length"), { min_length: -1 }],
    [size("max_length"), { max_length: 1.5 }],
    [size("min_size"), { min_size: "x" }],
    [size("max_size"), { max_size: true }],
    ["max_size must be an integer of 0 or more", { max_size: "9".repeat(400) }],
    ["min_length must not be above max_length", { min_length: 2, max_length: 1 }],
    ["min_size must not be above max_size", { min_size: 2, max_size: "1" }],
    ["min_value must not be above max_value", { min_value: 2, max_value: 1 }],
    ["min_value must be an integer", { min_value: 1.5 }],
    ["max_value must be a number", { type: "Float", max_value: "0x10" }, { type: "Float", max_value: "1e999" }],
    ["min_value must be a number", { type: "Float", min_value: {} }],
    ["params is only for the type Struct", { params: [anItem()] }],
    ["params must be a list", { params: {} }],
    ["base_id must be an integer", { base_id: "x" }],
  ]);
  refuses(vehicleDataBody, (partial: object) => aStruct(anItem(), { ...anItem({ name: "b" }), ...partial }), [
    ["params[1].name is required", { name: "" }],
    ["params[1].key is required", { key: undefined }],
    ["params[1].type is required", { type: null }],
    [/^params\[1\]\.name is refused/, { name: "no!" }],
    [/^params\[1\]\.params\[0\]\.min_size must be/, { type: "Struct", params: [anItem({ min_size: -1 })] }],
    ["Duplicate name: params[1].name", { name: "scent" }],
  ]);
  refuses(vehicleDataBody, itself, [
    ["params[0] must be an object", aStruct(5)],
    [/nested deeper than 10 levels$/, nested(11)],
    ["params must not hold more than 500 nodes in all", aStruct(...many(500))],
    ["params must not hold more than 255 items", aStruct(...many(256))],
  ]);

  it("takes 10 levels and 500 nodes, 255 in one Struct, and a Struct without children", () => {
    const [inner, ...others] = [within(...many(249)), ...many(249)];
    for (const tree of [nested(10), aStruct(...many(255)), aStruct(inner, ...others), aStruct()]) {
      expect(vehicleDataBody.safeParse(tree).error).toBeUndefined();
    }
  });

  it("14.6: without a specification every identifier is a type, and nothing else", () => {
    const unknown = (type: string) => findUnknownType(readTree(anItem({ type })), null);
    expect([unknown("Whatever_1"), unknown("No type"), unknown("1")]).toEqual([null, "type", "type"]);
    expect(findUnknownType(readTree(aStruct(anItem(), anItem({ name: "b", type: "1" }))), null)).toBe("params[1].type");
  });
});

describe("POST module (13.3)", () => {
  const { endpoints, notifications_per_minute_by_priority: perPriority } = aModuleConfig;
  const aConfig = (partial: object) => ({ ...aModuleConfig, ...partial });
  const days = (value: unknown) => ({ exchange_after_x_days: value });

  refuses(moduleConfigBody, aConfig, [
    [integer("exchange_after_x_ignition_cycles", 0, 255), { exchange_after_x_ignition_cycles: 256 }],
    [integer("exchange_after_x_kilometers", 0, 2_147_483_647), { exchange_after_x_kilometers: -1 }],
    [integer("timeout_after_x_seconds", 0, 65_535), { timeout_after_x_seconds: 65_536 }],
    ["seconds_between_retries must be a list", { seconds_between_retries: "1" }],
    ["seconds_between_retries must hold at least one value", { seconds_between_retries: [] }],
    [integer("seconds_between_retries[1]", 1, 1000), { seconds_between_retries: [1, 0] }],
    ["seconds_between_retries holds more than 5 values", { seconds_between_retries: [1, 1, 1, 1, 1, 1] }],
    ["endpoints is missing", { endpoints: null }],
    ["notifications_per_minute_by_priority is missing", { notifications_per_minute_by_priority: [] }],
    ["subtle_notifications_per_minute_by_priority is missing", { subtle_notifications_per_minute_by_priority: null }],
    ["base_id must be an integer", { base_id: "x" }],
  ]);
  refuses(moduleConfigBody, (value) => aConfig(days(value)), [
    [integer("exchange_after_x_days", 0, 255), null, { $gt: 0 }, { "a.b": 1 }, [], true, 1e308, "9".repeat(500), "\0"],
    [integer("exchange_after_x_days", 0, 255), "\ud800", "1e3", " 1", 1.5, -1, 256, Number.MAX_SAFE_INTEGER],
  ]);
  const url = (name: string) => `endpoints.${name} must be a string of 10 to 255 bytes`;
  const web = (name: string) => `endpoints.${name} must be an http or https address without blanks`;
  const dirty = "endpoints.0x04 must not hold line breaks, control characters or half surrogate pairs";
  refuses(moduleConfigBody, (partial: object) => aConfig({ endpoints: { ...endpoints, ...partial } }), [
    [url("0x04"), { "0x04": undefined }, { "0x04": "short" }],
    [url("queryAppsUrl"), { queryAppsUrl: "short" }, { queryAppsUrl: "x".repeat(256) }],
    [url("lock_screen_icon_url"), { lock_screen_icon_url: "é".repeat(128) }],
    [url("custom_vehicle_data_mapping_url"), { custom_vehicle_data_mapping_url: 5 }],
    [dirty, { "0x04": "https://a.example/\0" }, { "0x04": "http://127.0.0.1/api\n/v1" }],
    [web("0x04"), { "0x04": "javascript:alert(1)" }, { "0x04": "http://my host/" }, { "0x04": " http://host/" }],
    [web("custom_vehicle_data_mapping_url"), { custom_vehicle_data_mapping_url: "ht!tp://host" }],
    [web("0x04"), { "0x04": "ht!tp://x y" }],
  ]);
  const ofPriority = (name: string) => (partial: object) => aConfig({ [name]: { ...perPriority, ...partial } });
  for (const name of ["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"]) {
    refuses(moduleConfigBody, ofPriority(name), [
      [integer(`${name}.VOICECOM`, 0, 255), { VOICECOM: 1.5 }],
      [integer(`${name}.EMERGENCY`, 0, 255), { EMERGENCY: undefined }],
      [integer(`${name}.NONE`, 0, 255), { NONE: true }],
    ]);
  }
  const property = "endpoint_properties.0x04";
  const unnamed = `${property}: the name of a property must be a string of 1 to 255 bytes`;
  refuses(moduleConfigBody, (value) => aConfig({ endpoint_properties: value }), [
    ["endpoint_properties must be an object", []],
    [`${property} must be an object`, { "0x04": "x" }],
    [`${property}.a must be a string`, { "0x04": { a: null } }, { "0x04": { a: { $set: 1 } } }],
    [`${property}.a must be a string`, { "0x04": { a: "\ud800" } }],
    [unnamed, { "0x04": { "": "x" } }, { "0x04": { "a\0b": "x" } }],
    [`${property}: the name of a property must not begin or end with a blank`, { "0x04": { " ": "x" } }],
    [`${property}: the name of a property must not hold U+200B zero-width space`, { "0x04": { "a\u200b": "x" } }],
  ]);

  const table = "rpc_priority_table";
  const alert = integer(`${table}.rpc_priority.UI.Alert`, 0, 2_147_483_647);
  const ownProto = JSON.parse('{"__proto__":1}') as unknown;
  refuses(moduleConfigBody, (value) => aConfig({ [table]: value }), [
    [`${table} must be an object`, [], "x", 5],
    [`${table} has the unknown member rpc_prio`, { rpc_prio: {} }],
    [`${table} has the unknown member __proto__`, ownProto],
    [`${table}.rpc_priority must be an object`, { rpc_priority: [] }],
    [alert, { rpc_priority: { "UI.Alert": -1 } }, { rpc_priority: { "UI.Alert": 1.5 } }],
    [alert, { rpc_priority: { "UI.Alert": null } }, { rpc_priority: { "UI.Alert": "" } }],
    [alert, { rpc_priority: { "UI.Alert": 2_147_483_648 } }, { rpc_priority: { "UI.Alert": true } }],
    [`${table}.rpc_priority: an RPC must be named like UI.Alert`, { rpc_priority: { "": 1 } }],
    [`${table}.rpc_priority: an RPC must be named like UI.Alert`, { rpc_priority: ownProto }],
    [`${table}.rpc_priority: an RPC must be named like UI.Alert`, { rpc_priority: { "UI.Alert w/o": 1 } }],
    [`${table}.app_priority has the unknown member VOICECOM`, { app_priority: { VOICECOM: 1 } }],
    [integer(`${table}.hmi_status_priority.NONE`, 0, 2_147_483_647), { hmi_status_priority: { NONE: "x" } }],
  ]);

  it("reports the first failure in the order of the table", () => {
    const all: Record<string, unknown> = {};
    const first = [];
    // Every row is wrong at first; row after row is put right.
    for (const [name, value] of Object.entries(aModuleConfig)) {
      if (name === "endpoint_properties" || name === "lock_screen_dismissal_enabled") continue;
      first.push(moduleConfigBody.safeParse(all).error?.issues[0]?.path[0]);
      all[name] = value;
    }
    expect(first).toEqual([
      ...["exchange_after_x_ignition_cycles", "exchange_after_x_kilometers", "exchange_after_x_days"],
      ...["timeout_after_x_seconds", "seconds_between_retries", "endpoints"],
      ...["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"],
    ]);
  });
});

describe("applications (3 to 5)", () => {
  const decision = (partial: object) => ({ id: 1, approval_status: "ACCEPTED", ...partial });
  const needsId = "id and approval_status are required";
  refuses(applications.actionBody, itself, [
    [needsId, {}, { id: 1 }, { id: "x", approval_status: "" }, { id: null, approval_status: "ACCEPTED" }],
  ]);
  refuses(applications.actionBody, decision, [
    ["id must be an integer", { id: "x", approval_status: "bogus" }, { id: 1.5 }, { id: true }, { id: [1] }],
    ["id must be an integer", { id: { $gt: 0 } }],
    ["approval_status has an unknown value", { approval_status: "accepted" }, { approval_status: { $ne: 1 } }],
    ["blacklist must be true or false", { blacklist: "true" }, { blacklist: null }],
    ["denial_message must be a string or null", { denial_message: 7 }],
    ["uuid must be a string", { uuid: { $ne: "" } }],
    ["force must be true or false", { force: "true" }],
  ]);

  for (const [body, member] of [
    [applications.autoBody, "is_auto_approved_enabled"],
    [applications.administratorBody, "is_administrator_app"],
    [applications.passthroughBody, "allow_unknown_rpc_passthrough"],
  ] as const) {
    const sentence = `uuid (string) and ${member} (boolean) are required`;
    refuses(body, (given) => ({ uuid: "app-1", [member]: true, ...given }), [
      [sentence, { uuid: undefined }, { uuid: "" }, { uuid: 7 }, { uuid: { $ne: "" } }],
      [sentence, { [member]: undefined }, { [member]: "true" }, { [member]: 1 }],
    ]);
  }
  refuses(applications.hybridBody, itself, [
    [/^uuid \(string\) and hybrid_preference \(CLOUD, MOBILE or BOTH\) are required$/, {}, { uuid: "app-1" }],
    [/hybrid_preference/, { uuid: "app-1", hybrid_preference: "cloud" }, { hybrid_preference: "CLOUD" }],
  ]);
  refuses(applications.priorityBody, itself, [
    [/^uuid \(string\) and priority \(.*\) are required$/, {}, { uuid: "app-1", priority: "PROJECTION" }],
  ]);
  const needsEncryption = "id and encryption_required (boolean) are required";
  refuses(applications.encryptionBody, itself, [
    [needsEncryption, {}, { id: 1 }, { id: "x", encryption_required: "yes" }, { id: "", encryption_required: true }],
    ["id must be an integer", { id: "x", encryption_required: true }],
  ]);
  const service = { id: 1, is_selected: true, service_type_name: "MEDIA", permission_name: "ButtonPress" };
  const ofService = "id, is_selected (boolean), service_type_name (string) and permission_name (string) are required";
  refuses(applications.servicePermissionBody, (given) => ({ ...service, ...given }), [
    [ofService, { id: undefined }, { is_selected: "true" }, { service_type_name: 1 }, { permission_name: "" }],
    ["id must be an integer", { id: "1.5" }],
  ]);
  const ofGrant = "app_id, is_selected (boolean) and property_name (string) are required";
  refuses(applications.groupGrantBody, (given) => ({ app_id: 1, is_selected: true, property_name: "x", ...given }), [
    [ofGrant, { is_selected: "true" }, { property_name: { $ne: 1 } }, { app_id: undefined }],
    ["app_id must be an integer", { app_id: "abc" }],
  ]);
});

describe("decisions about many apps", () => {
  const decisions = "decision must be one of stage, accept, limit, block, unblock, auto_on, auto_off";
  refuses(bulk.bulkPreviewBody, itself, [[decisions, { uuids: ["a"] }, { decision: "praise", uuids: ["a"] }]]);
  refuses(bulk.bulkPreviewBody, (given) => ({ decision: "block", ...given }), [
    ["Either uuids or filter is required", {}, { uuids: ["a"], filter: {} }],
    ["uuids must have at least 1 element", { uuids: [] }],
    ["uuids must have at most 500 elements", { uuids: Array(501).fill("a") }],
    ["uuids.0 must be a string", { uuids: [{ $gt: "" }] }, { uuids: [7] }],
    // In the address of the list these mean nothing; here they would choose more apps than were meant.
    ["filter.platfrom is unknown", { filter: { platfrom: "IOS" } }],
    ["filter.state has an unknown value", { filter: { state: "happy" } }],
    ["filter.category has an unknown value", { filter: { category: "x" } }],
    ["filter.q must be a string", { filter: { q: { $ne: "" } } }],
  ]);

  const seen = { approval_status: "PENDING", is_blacklisted: false, denial_message: null };
  const auto = { is_auto_approved_enabled: true };
  const members =
    "items.0.seen must have approval_status, is_blacklisted and denial_message, or is_auto_approved_enabled";
  refuses(bulk.bulkBody, (given) => ({ decision: "limit", items: [{ id: 1, seen }], ...given }), [
    [decisions, { decision: undefined }],
    ["items must have at least 1 element", { items: [] }],
    ["items.0.seen must be the state that the decision is about", { decision: "auto_on" }],
    ["reason must be a string or null", { reason: 7 }],
  ]);
  refuses(bulk.bulkBody, (item) => ({ decision: "limit", items: [{ id: 1, seen, ...item }] }), [
    [members, { seen: undefined }, { seen: { ...seen, is_blacklisted: 1 } }],
    ["items.0.id must be an integer", { id: "x" }, { id: 1e21 }],
    ["items.0.seen must be the state that the decision is about", { seen: auto }],
    ["force must be true or false (items[0])", { force: 1 }],
  ]);
  refuses(bulk.bulkUndoBody, (items) => ({ items }), [
    ["items is required", undefined],
    ["items must be an array", "all"],
    [members, [{ id: 1, seen: {}, target: {} }]],
    ["target must have the members of seen (items[0])", [{ id: 1, seen, target: auto }]],
  ]);
});

describe("the simulator (L15)", () => {
  refuses(simulateBody, itself, [
    ["One of request and apps is required", {}],
    ["Only one of request and apps may be given", { apps: [], request: {} }],
    ["request must be an object", { request: "table" }, { request: [] }],
  ]);
  refuses(simulateBody, (given) => ({ apps: [], ...given }), [
    ["apps must be an array", { apps: "one" }],
    ["apps.0 must be a string", { apps: [7] }],
    ["apps must have at most 1000 elements", { apps: Array(1001).fill("a") }],
    ["environment has an unknown value", { environment: "moon" }],
    ["release must be a number", { release: "latest" }],
    ["release must be at least 1", { release: 0 }],
    ["release must be at most 9007199254740991", { release: 1e21 }],
  ]);
  refuses(matrixQuery, itself, [
    ["app (a uuid) is required", {}],
    ["version must be an integer", { app: "nobody", version: "x" }],
  ]);
});

describe("queries and promotions", () => {
  const limits = [integer("limit", 1, 1000), { limit: "0" }, { limit: "1001" }] as const;
  const search = "search must have at most 100 characters and no control characters";
  refuses(applications.listApplicationsQuery, itself, [
    limits,
    ["limit must be an integer", { limit: "x" }],
    ["approval_status has an unknown value", { approval_status: "bogus" }, { approval_status: "pending" }],
    ["get_blacklist must be true or false", { get_blacklist: "perhaps" }],
    [search, { search: "a\0" }, { search: "a".repeat(101) }],
    ["sort must be one of id, -id, name, -name, updated_ts, -updated_ts", { sort: "size" }],
  ]);
  refuses(listMessagesQuery, itself, [
    limits,
    ["limit must be an integer", { limit: "x" }],
    ["sort must be one of name, -name, id, -id", { sort: "size" }],
    ["template must be true or false", { template: "perhaps" }],
  ]);
  refuses(promoteBody, itself, [["force must be true or false", { id: 1, force: "yes" }]]);
});
