import { describe, expect, it } from "vitest";
import { buildLanguageChoices, buildMessageSummary, chooseSpokenText } from "@/lib/content/messages/rules";
import { aMessageLanguage } from "@/test/support/builders";

describe("spoken text (12.1)", () => {
  const spoken = (languageId: string, tts: string | null) => ({ languageId, tts });

  it.each([
    ["English wherever it stands", [spoken("en-us", "a"), spoken("de-de", "b")], "a"],
    ["the last language without English", [spoken("fr-ca", "a"), spoken("de-de", "b")], "b"],
    ["null for silent English", [spoken("de-de", "b"), spoken("en-us", null)], null],
    ["null for an empty speech", [spoken("en-us", "")], null],
    ["null without languages", [], null],
  ])("is %s", (_, languages, text) => {
    expect(chooseSpokenText(languages)).toBe(text);
  });

  it("comes with the number of languages", () => {
    const head = { id: 1, category: "A", status: "STAGING", isDeleted: false } as const;
    const times = { createdAt: new Date(0), updatedAt: new Date(0) };
    const summary = buildMessageSummary({
      ...head,
      ...times,
      languages: [spoken("en-us", "a"), spoken("de-de", null)],
    });
    expect(summary).toEqual({ ...head, ...times, text: "a", languageCount: 2 });
  });
});

it("12.1: offers known languages and those stored besides, by code", () => {
  const stored = { id: 5, ...aMessageLanguage({ languageId: "it-it" }) };
  expect(buildLanguageChoices([stored], ["pl-pl", "en-us"])).toEqual([
    { languageId: "en-us", texts: null },
    { languageId: "it-it", texts: stored },
    { languageId: "pl-pl", texts: null },
  ]);
});
