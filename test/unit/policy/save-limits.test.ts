import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { saveMessagesBody } from "@/lib/records/messages/schema";
import { moduleConfigBody } from "@/lib/records/module-config/schema";
import { vehicleDataBody } from "@/lib/records/vehicle-data/schema";
import { moduleConfigBody as configBody } from "@/test/support/module-config";

/** Finding A3, by the rows of its rules (sections 4 to 8); others: test/unit/app/refused-bodies.test.ts. */
type Case = readonly [row: string, field: string, taken: unknown, refused: unknown];

const bytes = (count: number) => `${"é".repeat(Math.floor(count / 2))}${"x".repeat(count % 2)}`;
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

function check(schema: z.ZodType, make: (members: any) => unknown, cases: readonly Case[]): void {
  it.each(cases)("%s: %s", (_, field, taken, refused) => {
    expect(schema.safeParse(make(taken)).error?.issues ?? []).toEqual([]);
    const [issue] = schema.safeParse(make(refused)).error?.issues ?? [];
    expect(issue?.message).toContain(field);
  });
}

const aGroup = (partial: object) => ({ name: "G", is_default: false, rpcs: [], ...partial });
const anRpc = (count: number) => ({
  name: "GetVehicleData",
  selected: true,
  hmi_levels: [{ value: "FULL", selected: true }],
  parameters: many(count, (index) => ({ key: `p${index}`, selected: true })),
});

describe("groups", () => {
  check(saveGroupBody, aGroup, [
    ["4 names in groups", "name", { name: bytes(255) }, { name: bytes(256) }],
    ["5 encryption_required", "encryption_required", { encryption_required: true }, { encryption_required: 1 }],
    ...["\ud83d", "a\0b"].flatMap((broken): Case[] => [
      [
        "1 half a surrogate pair, C10",
        "user_consent_prompt",
        { user_consent_prompt: "\u{1f697}" },
        { user_consent_prompt: broken },
      ],
      ["1 half a surrogate pair, C10", "name", { name: "\u{1f697}" }, { name: broken }],
      ["1 half a surrogate pair, C10", "name", { rpcs: [anRpc(0)] }, { rpcs: [{ ...anRpc(0), name: broken }] }],
      [
        "1 half a surrogate pair, C10",
        "key",
        { rpcs: [anRpc(1)] },
        { rpcs: [{ ...anRpc(0), parameters: [{ key: broken, selected: true }] }] },
      ],
    ]),
  ]);
});

const aLanguage = (language_id: string, texts: object = {}) => ({ language_id, selected: true, ...texts });
const aMessage = (partial: object) => ({
  messages: [{ message_category: "M", is_deleted: false, languages: [aLanguage("en-us")], ...partial }],
});
const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
const codes = letters.flatMap((one) => letters.map((other) => `${one}${other}-xx`));
const inLanguages = (count: number) => ({
  languages: [aLanguage("en-us"), ...codes.slice(0, count - 1).map((code) => aLanguage(code))],
});
const withText = (name: string, text: string) => ({ languages: [aLanguage("en-us", { [name]: text })] });

describe("messages", () => {
  check(saveMessagesBody, aMessage, [
    ["5 user_consent_prompt", "message_category", { message_category: bytes(255) }, { message_category: bytes(256) }],
    ["7 languages per message", "500 languages", inLanguages(500), inLanguages(501)],
    ...["line1", "line2", "tts", "label", "text_body"].flatMap((name): Case[] => [
      ["7 texts", name, withText(name, bytes(65_535)), withText(name, bytes(65_536))],
      ["1 half a surrogate pair", name, withText(name, "\u{1f697}"), withText(name, "\ud83d")],
      ["C10 NUL", name, withText(name, "ab"), withText(name, "a\0b")],
    ]),
  ]);
});

const anItem = (partial: object) => ({ name: "item", key: "KEY", type: "Integer", ...partial });
const inStruct = (partial: object) => ({ type: "Struct", params: [anItem(partial)] });
const ofSize = (count: number) => ({ type: "Struct", params: many(count, (at) => anItem({ name: `p${at}` })) });
const greatest = 2_147_483_647;

describe("vehicle data", () => {
  check(vehicleDataBody, anItem, [
    ...["name", "key"].flatMap((name): Case[] => [
      ["8 name, key", name, { [name]: bytes(255) }, { [name]: bytes(256) }],
      ["8 name, key", `params[0].${name}`, inStruct({ [name]: "a-b" }), inStruct({ [name]: "a b" })],
      ["8 name, key", name, { [name]: "a.b" }, { [name]: "a@b" }],
      ["1 half a surrogate pair", name, { [name]: "\u{1f697}" }, { [name]: "\ud83d" }],
      ["C10 NUL", name, { [name]: "ab" }, { [name]: "a\0b" }],
    ]),
    ["8 type", "type", {}, { type: bytes(256) }],
    [
      "8 params, 255 items, within",
      "params[0].params",
      { type: "Struct", params: [anItem(ofSize(255))] },
      { type: "Struct", params: [anItem(ofSize(256))] },
    ],
    ...["min_size", "max_size", "min_length", "max_length"].flatMap((name): Case[] => [
      ["8 sizes and lengths", name, { [name]: greatest }, { [name]: greatest + 1 }],
      ["8 sizes and lengths", name, { [name]: `${greatest}` }, { [name]: `${greatest + 1}` }],
      ["8 sizes and lengths", name, { [name]: 0 }, { [name]: -1 }],
      ["8 sizes and lengths", `params[0].${name}`, inStruct({ [name]: 1 }), inStruct({ [name]: 1.5 })],
    ]),
    ...["min_value", "max_value"].flatMap((name): Case[] => [
      ["8 minvalue, maxvalue", name, { [name]: greatest }, { [name]: greatest + 1 }],
      ["8 minvalue, maxvalue", name, { [name]: -greatest }, { [name]: `${-greatest - 1}` }],
      [
        "8 minvalue, maxvalue, Float",
        name,
        { type: "Float", [name]: 0.5 - greatest },
        { type: "Float", [name]: 1e300 },
      ],
      ["8 minvalue, maxvalue", `params[0].${name}`, inStruct({ [name]: 1 }), inStruct({ [name]: greatest + 0.5 })],
    ]),
  ]);

  it.each(["array", "mandatory", "is_deleted"])("finding D4: null as %s counts as absent", (name) => {
    const { tree } = vehicleDataBody.parse(anItem({ [name]: null }));
    expect(tree).toMatchObject({ array: false, mandatory: false, isDeleted: false });
  });
});

const aConfig = (partial: object) => ({ ...configBody, ...partial });
const endpointsWith = (name: string, url: string) => ({ endpoints: { ...configBody.endpoints, [name]: url } });
const propertyOf = (endpoint: string, value: string) => ({ endpoint_properties: { [endpoint]: { version: value } } });
const priorities = (count: number) => ({
  rpc_priority_table: { rpc_priority: Object.fromEntries(many(count, (at) => [`UI.R${at}`, at])) },
});
const mapNames = ["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"] as const;
const storedEndpoints = ["0x04", "queryAppsUrl", "lock_screen_icon_url", "custom_vehicle_data_mapping_url"];

describe("module config", () => {
  check(moduleConfigBody, aConfig, [
    ...(
      [
        ["exchange_after_x_ignition_cycles", 255],
        ["exchange_after_x_kilometers", greatest],
        ["exchange_after_x_days", 255],
        ["timeout_after_x_seconds", 65_535],
      ] as const
    ).flatMap(([name, max]): Case[] => [
      ["6 counts", name, { [name]: max }, { [name]: max + 1 }],
      ["6 counts", name, { [name]: 0 }, { [name]: -1 }],
    ]),
    [
      "6 seconds_between_retries",
      "seconds_between_retries",
      { seconds_between_retries: many(5, () => 1000) },
      { seconds_between_retries: many(6, () => 1000) },
    ],
    ...[0, 1001].map((seconds): Case => [
      "6 seconds_between_retries",
      "seconds_between_retries[0]",
      { seconds_between_retries: [1] },
      { seconds_between_retries: [seconds] },
    ]),
    ...storedEndpoints.flatMap((name): Case[] => [
      ["6 endpoints", `endpoints.${name}`, endpointsWith(name, "http://a.b"), endpointsWith(name, "http://a.")],
      ["C10 NUL", `endpoints.${name}`, endpointsWith(name, "http://a.b"), endpointsWith(name, "http://a.b/\0")],
      ["C10 NUL", `endpoint_properties.${name}.version`, propertyOf(name, "1"), propertyOf(name, "1\0")],
      [
        "6 endpoint_properties",
        `endpoint_properties.${name}.version`,
        propertyOf(name, bytes(100)),
        propertyOf(name, bytes(101)),
      ],
    ]),
    ["8 rpc_priority_table", "rpc_priority_table.rpc_priority", priorities(255), priorities(256)],
    ...mapNames.map((name): Case => {
      const map = configBody[name];
      return ["6 notifications", `${name}.NONE`, { [name]: { ...map, NONE: 255 } }, { [name]: { ...map, NONE: 256 } }];
    }),
  ]);
});
