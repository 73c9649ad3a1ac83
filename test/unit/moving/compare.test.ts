import { expect, it } from "vitest";
import { compareTables } from "@/lib/moving/compare";

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
