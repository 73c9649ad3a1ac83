import { expect, it } from "vitest";
import { compareTables } from "@/lib/moving/compare";
import { convertModuleConfigs } from "@/lib/moving/records";
import { type Loss, readTables } from "@/lib/moving/tables";
import { defaultRetries } from "@/lib/words/vocabulary";

it("X8: the reason of a difference is that of the loss it comes from", () => {
  const losses = [
    {
      table: "message_text",
      what: "message Location (record 1)",
      reason: "no head unit knows it",
      at: "languages.es-en",
    },
  ] as const;
  const [difference] = compareTables(
    { consumer_friendly_messages: { messages: { Location: { languages: { "es-en": { tts: "a" } } } } } },
    { consumer_friendly_messages: { messages: { Location: { languages: {} } } } },
    losses,
  );
  expect(difference?.reason).toBe("message Location (record 1): no head unit knows it");
  const english = (tts: string) => ({
    consumer_friendly_messages: { messages: { Location: { languages: { "en-us": { tts } } } } },
  });
  expect(compareTables(english("a"), english("b"), losses)[0]?.reason).toBeNull();
  expect(compareTables({ a: [1] }, { a: [2] }, losses)[0]?.reason).toBeNull();
  expect(compareTables({ a: ["x", "y"], b: null }, { a: ["y", "x"] }, losses)).toEqual([]);
});

it("X8: a service without RPCs, and one that handles the reserved one, are the same", () => {
  const serving = (...ids: readonly number[]) => ({
    app_policies: { a: { app_services: { WEATHER: { handled_rpcs: ids.map((function_id) => ({ function_id })) } } } },
  });
  expect(compareTables(serving(), serving(0), [])).toEqual([]);
  expect(compareTables(serving(1), serving(0), [])).toHaveLength(1);
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
  const [config] = convertModuleConfigs(
    data,
    (key) => key,
    (loss) => losses.push(loss),
  );
  expect(config?.secondsBetweenRetries).toEqual(defaultRetries);
  expect(config?.endpoints["0x04"]).toBe("https://a?.example");
  expect(losses).toMatchObject([{ what: "module config 7", at: "seconds_between_retries" }]);
  const tables = [[], defaultRetries].map((retries) => ({ module_config: { seconds_between_retries: retries } }));
  expect(compareTables(tables[0], tables[1], losses)).toMatchObject([{ reason: expect.stringContaining("instead") }]);
});
