import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { saveGroupBody } from "@/lib/content/groups/schema";
import { saveMessagesBody } from "@/lib/content/messages/schema";
import { moduleConfigBody } from "@/lib/content/module-config/schema";
import { vehicleDataBody } from "@/lib/content/vehicle-data/schema";
import { moduleConfigBody as configBody } from "@/test/support/module-config";

/**
 * Every value of a record for which a head unit would refuse the whole table, by the rows of its rules (sections 4 to 8):
 * taken at the limit, refused at the save beyond it, with the field named. Finding A3.
 */
type Case = readonly [row: string, field: string, taken: unknown, refused: unknown];

const bytes = (count: number) => `${"é".repeat(Math.floor(count / 2))}${"x".repeat(count % 2)}`;
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

function check(schema: z.ZodType, cases: readonly Case[]): void {
  it.each(cases)("%s: %s", (_, field, taken, refused) => {
    expect(schema.safeParse(taken).error?.issues ?? []).toEqual([]);
    const [issue] = schema.safeParse(refused).error?.issues ?? [];
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
const aLevel = (value: string) => ({ ...anRpc(0), hmi_levels: [{ value, selected: true }] });

describe("groups", () => {
  check(saveGroupBody, [
    ["4 names in groups", "name", aGroup({ name: bytes(255) }), aGroup({ name: bytes(256) })],
    ["4 names in groups, not empty", "name", aGroup({ name: "x" }), aGroup({ name: " " })],
    ["5 parameters", "GetVehicleData", aGroup({ rpcs: [anRpc(100)] }), aGroup({ rpcs: [anRpc(101)] })],
    ["5 hmi_levels", "HMI level", aGroup({ rpcs: [aLevel("NONE")] }), aGroup({ rpcs: [aLevel("SOME")] })],
    [
      "5 encryption_required",
      "encryption_required",
      aGroup({ encryption_required: true }),
      aGroup({ encryption_required: 1 }),
    ],
    ...["\ud83d", "a\0b"].flatMap((broken): Case[] => [
      [
        "1 half a surrogate pair, C10",
        "user_consent_prompt",
        aGroup({ user_consent_prompt: "\u{1f697}" }),
        aGroup({ user_consent_prompt: broken }),
      ],
      ["1 half a surrogate pair, C10", "name", aGroup({ name: "\u{1f697}" }), aGroup({ name: broken })],
      [
        "1 half a surrogate pair, C10",
        "name",
        aGroup({ rpcs: [anRpc(0)] }),
        aGroup({ rpcs: [{ ...anRpc(0), name: broken }] }),
      ],
      [
        "1 half a surrogate pair, C10",
        "key",
        aGroup({ rpcs: [anRpc(1)] }),
        aGroup({ rpcs: [{ ...anRpc(0), parameters: [{ key: broken, selected: true }] }] }),
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
const inLanguages = (count: number) =>
  aMessage({ languages: [aLanguage("en-us"), ...codes.slice(0, count - 1).map((code) => aLanguage(code))] });
const withText = (name: string, text: string) => aMessage({ languages: [aLanguage("en-us", { [name]: text })] });

describe("messages", () => {
  check(saveMessagesBody, [
    [
      "5 user_consent_prompt",
      "message_category",
      aMessage({ message_category: bytes(255) }),
      aMessage({ message_category: bytes(256) }),
    ],
    ["7 each message", "en-us", aMessage({}), aMessage({ languages: [aLanguage("de-de")] })],
    ["7 languages per message", "500 languages", inLanguages(500), inLanguages(501)],
    ...["line1", "line2", "tts", "label", "text_body"].flatMap((name): Case[] => [
      ["7 texts", name, withText(name, bytes(65_535)), withText(name, bytes(65_536))],
      ["1 half a surrogate pair", name, withText(name, "\u{1f697}"), withText(name, "\ud83d")],
      ["C10 NUL", name, withText(name, "ab"), withText(name, "a\0b")],
    ]),
    ["C10 NUL", "message_category", aMessage({ message_category: "M" }), aMessage({ message_category: "M\0" })],
  ]);
});

const anItem = (partial: object) => ({ name: "item", key: "KEY", type: "Integer", ...partial });
const inStruct = (partial: object) => anItem({ type: "Struct", params: [anItem(partial)] });
const ofSize = (count: number) => anItem({ type: "Struct", params: many(count, (at) => anItem({ name: `p${at}` })) });
const greatest = 2_147_483_647;

describe("vehicle data", () => {
  check(vehicleDataBody, [
    ...["name", "key"].flatMap((name): Case[] => [
      ["8 name, key", name, anItem({ [name]: bytes(255) }), anItem({ [name]: bytes(256) })],
      ["8 name, key", `params[0].${name}`, inStruct({ [name]: "a-b" }), inStruct({ [name]: "a b" })],
      ["8 name, key", name, anItem({ [name]: "a.b" }), anItem({ [name]: "a@b" })],
      ["1 half a surrogate pair", name, anItem({ [name]: "\u{1f697}" }), anItem({ [name]: "\ud83d" })],
      ["C10 NUL", name, anItem({ [name]: "ab" }), anItem({ [name]: "a\0b" })],
    ]),
    ["8 type", "type", anItem({}), anItem({ type: bytes(256) })],
    ["8 mandatory", "mandatory", anItem({ mandatory: true }), anItem({ mandatory: "yes" })],
    ["8 array", "array", anItem({ array: true }), anItem({ array: 1 })],
    ["8 params", "params", ofSize(1), anItem({ params: [anItem({})] })],
    ["8 params, 255 items", "params", ofSize(255), ofSize(256)],
    [
      "8 params, 255 items, within",
      "params[0].params",
      anItem({ type: "Struct", params: [ofSize(255)] }),
      anItem({ type: "Struct", params: [ofSize(256)] }),
    ],
    ...["min_size", "max_size", "min_length", "max_length"].flatMap((name): Case[] => [
      ["8 sizes and lengths", name, anItem({ [name]: greatest }), anItem({ [name]: greatest + 1 })],
      ["8 sizes and lengths", name, anItem({ [name]: `${greatest}` }), anItem({ [name]: `${greatest + 1}` })],
      ["8 sizes and lengths", name, anItem({ [name]: 0 }), anItem({ [name]: -1 })],
      ["8 sizes and lengths", `params[0].${name}`, inStruct({ [name]: 1 }), inStruct({ [name]: 1.5 })],
    ]),
    ...["min_value", "max_value"].flatMap((name): Case[] => [
      ["8 minvalue, maxvalue", name, anItem({ [name]: greatest }), anItem({ [name]: greatest + 1 })],
      ["8 minvalue, maxvalue", name, anItem({ [name]: -greatest }), anItem({ [name]: `${-greatest - 1}` })],
      [
        "8 minvalue, maxvalue, Float",
        name,
        anItem({ type: "Float", [name]: 0.5 - greatest }),
        anItem({ type: "Float", [name]: 1e300 }),
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
const mapNames = ["notifications_per_minute_by_priority", "subtle_notifications_per_minute_by_priority"] as const;
const storedEndpoints = ["0x04", "queryAppsUrl", "lock_screen_icon_url", "custom_vehicle_data_mapping_url"];

describe("module config", () => {
  check(moduleConfigBody, [
    ...(
      [
        ["exchange_after_x_ignition_cycles", 255],
        ["exchange_after_x_kilometers", greatest],
        ["exchange_after_x_days", 255],
        ["timeout_after_x_seconds", 65_535],
      ] as const
    ).flatMap(([name, max]): Case[] => [
      ["6 counts", name, aConfig({ [name]: max }), aConfig({ [name]: max + 1 })],
      ["6 counts", name, aConfig({ [name]: 0 }), aConfig({ [name]: -1 })],
    ]),
    [
      "6 seconds_between_retries",
      "seconds_between_retries",
      aConfig({ seconds_between_retries: many(5, () => 1000) }),
      aConfig({ seconds_between_retries: many(6, () => 1000) }),
    ],
    [
      "C7 seconds_between_retries",
      "seconds_between_retries",
      aConfig({ seconds_between_retries: [1] }),
      aConfig({ seconds_between_retries: [] }),
    ],
    ...[0, 1001].map((seconds): Case => [
      "6 seconds_between_retries",
      "seconds_between_retries[0]",
      aConfig({ seconds_between_retries: [1] }),
      aConfig({ seconds_between_retries: [seconds] }),
    ]),
    ...storedEndpoints.flatMap((name): Case[] => [
      [
        "6 endpoints",
        `endpoints.${name}`,
        aConfig(endpointsWith(name, "http://a.b")),
        aConfig(endpointsWith(name, "http://a.")),
      ],
      [
        "C10 NUL",
        `endpoints.${name}`,
        aConfig(endpointsWith(name, "http://a.b")),
        aConfig(endpointsWith(name, "http://a.b/\0")),
      ],
      [
        "C10 NUL",
        `endpoint_properties.${name}.version`,
        aConfig(propertyOf(name, "1")),
        aConfig(propertyOf(name, "1\0")),
      ],
      [
        "6 endpoint_properties",
        `endpoint_properties.${name}.version`,
        aConfig(propertyOf(name, bytes(100))),
        aConfig(propertyOf(name, bytes(101))),
      ],
    ]),
    ...mapNames.map((name): Case => {
      const map = configBody[name];
      return [
        "6 notifications",
        `${name}.NONE`,
        aConfig({ [name]: { ...map, NONE: 255 } }),
        aConfig({ [name]: { ...map, NONE: 256 } }),
      ];
    }),
  ]);
});
