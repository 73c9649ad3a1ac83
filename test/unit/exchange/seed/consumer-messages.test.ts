import { describe, expect, it } from "vitest";
import { type MessageTextField, messageTextFields } from "@/lib/vocabulary/terms";
import { byteLength } from "@/lib/vocabulary/byte-length";
import seed from "@/seed/consumer-messages.json";
import { builtTable } from "@/test/support/answers";
import { seedSnapshot } from "@/test/support/seed-snapshot";

const languageIds = (
  "de-de en-au en-gb en-ie en-us es-es es-mx fr-ca fr-fr it-it ja-jp nl-nl pl-pl pt-br pt-pt ru-ru sv-se tr-tr zh-cn " +
  "zh-tw"
).split(" ");
const categoryNames = (
  "AppPermissions AppPermissionsHelp AppPermissionsRevoked AppUnauthorized AppUnsupported DataConsent DataConsentHelp " +
  "DisableApps DrivingCharacteristics Location LockScreenDismissalWarning Notifications SettingDisableUpdates " +
  "SettingEnableUpdates SettingUpdateAuto StatusNeeded StatusPending StatusUpToDate VehicleInfo"
).split(" ");

type Texts = Readonly<Partial<Record<MessageTextField, string | undefined>>>;
const categories: readonly { readonly name: string; readonly languages: Readonly<Record<string, Texts>> }[] =
  seed.categories;

const everyText = categories.flatMap(({ name, languages }) =>
  Object.entries(languages).flatMap(([languageId, texts]) =>
    messageTextFields.flatMap((field) => {
      const written = texts[field];
      const english = languages["en-us"]?.[field] ?? "";
      return written === undefined
        ? []
        : [{ place: `${name} ${languageId} ${field}`, languageId, field, written, english }];
    }),
  ),
);
const filledFields = (texts: Texts | undefined) => messageTextFields.filter((field) => texts?.[field] !== undefined);
const placeholdersOf = (written: string) => (written.match(/%[^%\s]*%/g) ?? []).toSorted();

/** Columns that a text takes: characters of East Asia are twice as wide. */
const widthOf = (written: string) =>
  Array.from(written, (character) => (/[\u2e80-\u9fff\uff00-\uff60]/u.test(character) ? 2 : 1)).reduce<number>(
    (width, columns) => width + columns,
    0,
  );
const greatestWidth = { line1: 24, line2: 24, label: 34, tts: 300, textBody: 320 } as const;

describe("finding A7: the consumer messages that a new server ships (policy-table.md appendix A)", () => {
  it("are 19 messages, each in the same 20 languages", () => {
    expect(categories.map(({ name }) => name).toSorted()).toEqual(categoryNames);
    for (const { name, languages } of categories)
      expect([name, ...Object.keys(languages).toSorted()]).toEqual([name, ...languageIds]);
  });

  it("have in every language the fields of the English text and no others", () => {
    for (const { name, languages } of categories) {
      for (const [languageId, texts] of Object.entries(languages)) {
        const place = `${name} ${languageId}`;
        expect([place, ...filledFields(texts)]).toEqual([place, ...filledFields(languages["en-us"])]);
      }
    }
  });

  it("have in every field the placeholders of the English text, as often as it has them", () => {
    for (const { place, written, english } of everyText)
      expect([place, ...placeholdersOf(written)]).toEqual([place, ...placeholdersOf(english)]);
  });

  it("are well-formed, trimmed, and keep the paragraphs of the English text", () => {
    for (const { place, written, english } of everyText) {
      expect(written, place).not.toBe("");
      expect([place, written.isWellFormed(), written]).toEqual([place, true, written.normalize("NFC").trim()]);
      expect([place, written.split("\n").length]).toEqual([place, english.split("\n").length]);
    }
  });

  it("are within what head units take, in bytes, and short enough for the screen of a car", () => {
    for (const { place, field, written } of everyText) {
      expect(byteLength(written), place).toBeLessThanOrEqual(65_535);
      expect(widthOf(written), place).toBeLessThanOrEqual(greatestWidth[field]);
    }
  });

  it("are translated: none is the English text", () => {
    const copies = everyText.filter(
      ({ languageId, written, english }) => !languageId.startsWith("en-") && written === english,
    );
    expect(copies.map(({ place }) => place)).toEqual([]);
  });

  it("are what is said there: British, Australian and Irish texts spell as these countries do", () => {
    const american = /\b(behavior|tires?|carrier)\b/i;
    const others = everyText.filter(({ languageId }) => ["en-au", "en-gb", "en-ie"].includes(languageId));
    expect(others.filter(({ written }) => american.test(written)).map(({ place }) => place)).toEqual([]);
  });

  it.each([
    ["es-mx", "es-es"],
    ["fr-ca", "fr-fr"],
    ["pt-br", "pt-pt"],
    ["zh-tw", "zh-cn"],
  ])("are a text of its own in %s, not that of %s", (one, other) => {
    const copied = categories.filter(({ languages }) => {
      const [texts, others] = [languages[one], languages[other]];
      return filledFields(texts).every((field) => texts?.[field] === others?.[field]);
    });
    expect(copied.map(({ name }) => name)).toEqual([]);
  });

  it("are in the production table of a new server, which a head unit takes", async () => {
    const { messages } = (await builtTable(await seedSnapshot([]))).consumer_friendly_messages;
    expect(Object.keys(messages)).toEqual(categoryNames);
    for (const name of categoryNames) expect(Object.keys(messages[name].languages)).toEqual(languageIds);
  });
});
