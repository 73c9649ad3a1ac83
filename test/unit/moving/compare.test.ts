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
