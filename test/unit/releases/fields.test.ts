import { expect, it } from "vitest";
import { toSaveBody } from "@/lib/records/groups/wire";
import { toMessageBody } from "@/lib/records/messages/wire";
import { listFieldChanges } from "@/lib/releases/fields";
import { summarizeChange } from "@/lib/releases/summary";
import type { HmiLevel } from "@/lib/vocabulary/terms";
import { aGroup, aMessage, aMessageLanguage, anRpc } from "@/test/support/builders";

const group = (values: Parameters<typeof aGroup>[0] = {}) => toSaveBody({ description: null, ...aGroup(values) });
const rpc = (name: string, levels: readonly HmiLevel[] = ["FULL"], parameters: readonly string[] = []) =>
  anRpc({ name, levels, parameters });

it("L5: RPCs are compared by their names, levels and parameters as sets", () => {
  const before = group({ rpcs: [rpc("Show"), rpc("Alert", ["FULL"], ["b", "a"])] });
  const after = group({ rpcs: [rpc("Alert", ["FULL", "BACKGROUND"], ["a", "b"]), rpc("Speak")] });
  expect(listFieldChanges(before, after)).toEqual([
    { path: "rpcs.Alert.hmi_levels", before: ["FULL"], after: ["BACKGROUND", "FULL"] },
    { path: "rpcs.Show.hmi_levels", before: ["FULL"], after: null },
    { path: "rpcs.Speak.hmi_levels", before: null, after: ["FULL"] },
  ]);
});

it("L5: nothing differs between equal bodies, whatever the order of their lists", () => {
  const rpcs = [rpc("Show", ["FULL"], ["b", "a"]), rpc("Alert")];
  expect(listFieldChanges(group({ rpcs }), group({ rpcs: [...rpcs].reverse() }))).toEqual([]);
  expect(summarizeChange("group", group({ rpcs }), group({ rpcs: [...rpcs].reverse() }))).toBe("no change");
});

it("L5: texts are compared by their languages", () => {
  const content = aMessage({ languages: [aMessageLanguage({ languageId: "en-us", label: "Old", line1: "Same" })] });
  const languages = content.languages.map((texts) => ({ ...texts, id: 1 }));
  const before = toMessageBody({ ...content, languages });
  const after = toMessageBody({ ...content, languages: languages.map((texts) => ({ ...texts, label: "New" })) });
  expect(listFieldChanges(before, after)).toEqual([{ path: "languages.en-us.label", before: "Old", after: "New" }]);
});

it("L5: items inside an item are found by their names, at any depth", () => {
  const node = (name: string, values: object = {}) => ({ name, key: "K", type: "Integer", params: [], ...values });
  const outer = (...params: readonly object[]) =>
    node("outer", { is_deleted: false, params: [node("inner", { params })] });
  const [before, after] = [outer(node("speed")), outer(node("speed", { type: "Float" }), node("gear"))];
  expect(listFieldChanges(before, after)).toEqual([
    { path: "params.inner.params.gear.key", before: null, after: "K" },
    { path: "params.inner.params.gear.type", before: null, after: "Integer" },
    { path: "params.inner.params.speed.type", before: "Integer", after: "Float" },
  ]);
  expect(summarizeChange("vehicle_data", before, after)).toBe("+item inner.gear, inner.speed: type Integer → Float");
});

it("L5: a list of plain values is one value, in its order", () =>
  expect(listFieldChanges({ seconds_between_retries: [1, 5] }, { seconds_between_retries: [5, 1] })).toEqual([
    { path: "seconds_between_retries", before: [1, 5], after: [5, 1] },
  ]));

it("L5: a deleted body counts as none", () => {
  const body = { name: "A", is_deleted: false };
  expect(listFieldChanges(body, { ...body, is_deleted: true })).toEqual([{ path: "name", before: "A", after: null }]);
});

it("L5: names with dots and two elements of one name hide nothing", () => {
  const items = (...values: readonly number[]) => values.map((v) => ({ name: "x", v }));
  const before = { properties: { "a.b": "1", a: { b: "1" } }, items: items(1, 2) };
  const after = { properties: { "a.b": "2", a: { b: "3" } }, items: items(1, 3) };
  expect(listFieldChanges(before, after)).toEqual([
    { path: "items.2.v", before: 2, after: 3 },
    { path: "properties.a.b", before: "1", after: "2" },
    { path: "properties.a.b", before: "1", after: "3" },
  ]);
});

it.each([
  ["first version", null, group()],
  ["deleted", group(), group({ isDeleted: true })],
  ["back after its deletion", group({ isDeleted: true }), group()],
  ["deleted, and was not there before", null, group({ isDeleted: true })],
])("L5: sums up: %s", (sentence, before, after) => expect(summarizeChange("group", before, after)).toBe(sentence));

it("L5: sums up RPCs, levels and parameters", () => {
  const before = group({ rpcs: [rpc("Alert"), rpc("GetVehicleData", ["FULL"], ["gps"])] });
  const more = [rpc("Alert", ["FULL", "BACKGROUND"]), rpc("GetVehicleData", ["FULL"], ["gps", "speed"])];
  const after = group({ isDefault: true, rpcs: [...more, rpc("Show"), rpc("Speak")] });
  expect(summarizeChange("group", before, after)).toBe(
    "+2 RPCs, Alert also in BACKGROUND, GetVehicleData +parameter speed, is default: yes",
  );
  expect(summarizeChange("group", after, before)).toBe(
    "−2 RPCs, Alert no longer in BACKGROUND, GetVehicleData −parameter speed, is default: no",
  );
});

it("L5: sums up languages by their names", () => {
  const texts = (language_id: string, label: string) => ({ language_id, selected: true, label });
  const before = { message_category: "A", is_deleted: false, languages: [texts("de-de", "a"), texts("en-us", "b")] };
  const after = { ...before, languages: [texts("de-de", "c"), texts("fr-fr", "d")] };
  expect(summarizeChange("message", before, after)).toBe(
    "+French (France), −English (United States), German (Germany) texts changed",
  );
});

it("L5: names two languages whose texts changed, and counts three", () => {
  const message = (ids: readonly string[], label: string) => ({
    ...{ message_category: "A", is_deleted: false },
    languages: ids.map((language_id) => ({ language_id, selected: true, label })),
  });
  const sumUp = (...ids: string[]) => summarizeChange("message", message(ids, "a"), message(ids, "b"));
  expect(sumUp("de-de", "fr-fr")).toBe("German (Germany) texts changed, French (France) texts changed");
  expect(sumUp("de-de", "en-us", "fr-fr")).toBe("texts of 3 languages changed");
});

it("L5: says short values, counts what is too much, and never says a key", () => {
  const before = { a: 1, b: "", c: "x".repeat(50), d: [1, 5], e: 5, private_key: "secret-one", f: 1 };
  const after = { a: 2, b: "b", c: "y".repeat(50), d: [1], e: null, private_key: "secret-two", f: 2 };
  expect(summarizeChange("module_config", before, after)).toBe("a 1 → 2, b none → b, c changed, d 1, 5 → 1 and 3 more");
  expect(summarizeChange("module_config", { private_key: "one" }, { private_key: "two" })).toBe("private key changed");
});
