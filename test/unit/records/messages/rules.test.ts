import { describe, expect, it } from "vitest";
import { buildMessageSummary, chooseSpokenText } from "@/lib/records/messages/rules";
import { toMessageJson } from "@/lib/records/messages/wire";
import { aMessageLanguage } from "@/test/support/builders";

describe("spoken text (12.1)", () => {
  const spoken = (languageId: string, tts: string | null) => ({ languageId, tts });

  it.each([
    ["English wherever it stands", [spoken("en-us", "a"), spoken("de-de", "b")], "a"],
    ["the last language without English", [spoken("fr-ca", "a"), spoken("de-de", "b")], "b"],
    ["null for silent English", [spoken("de-de", "b"), spoken("en-us", null)], null],
    ["null for an empty speech", [spoken("en-us", "")], null],
    ["null without languages", [], null],
  ])("is %s", (_, languages, text) => expect(chooseSpokenText(languages)).toBe(text));

  it("comes with the number of languages", () => {
    const head = { id: 1, category: "A", status: "STAGING", isDeleted: false } as const;
    const times = { createdAt: new Date(0), updatedAt: new Date(0) };
    const languages = [spoken("en-us", "a"), spoken("de-de", null)];
    const summary = buildMessageSummary({ ...head, ...times, languages });
    expect(summary).toEqual({ ...head, ...times, text: "a", languageCount: 2 });
  });
});

it("12.1: offers known languages and those stored besides, by code", () => {
  const stored = { id: 5, ...aMessageLanguage({ languageId: "it-it" }) };
  const message = { id: 9, category: "A", isDeleted: false, languages: [stored] };
  expect(toMessageJson(message, ["pl-pl", "en-us"]).languages).toMatchObject([
    { language_id: "en-us", id: 0, selected: false, message_category_id: 0, tts: "" },
    { language_id: "it-it", id: 5, selected: true, message_category_id: 9, tts: stored.tts },
    { language_id: "pl-pl", id: 0, selected: false, message_category_id: 0, tts: "" },
  ]);
});
