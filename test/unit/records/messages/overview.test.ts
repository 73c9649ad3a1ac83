import { describe, expect, it } from "vitest";
import { rateCompleteness, listLackingFields, type MessageRecord } from "@/lib/records/messages/rules";
import { messagesPageQuery } from "@/lib/records/messages/console-schema";
import { nameLanguage } from "@/lib/vocabulary/language-names";
import {
  buildMessageRow,
  choosePreview,
  messageNumbers,
  passesMessageFilter,
  type PromptUse,
} from "@/lib/records/messages/overview";
import { countByState, isInState, sortRecords } from "@/lib/records/store/listing";
import { aMessage, aMessageLanguage } from "@/test/support/builders";

const english = (tts: string) => ({ id: 1, ...aMessageLanguage({ tts }) });
const german = (tts: string) => ({ id: 2, ...aMessageLanguage({ languageId: "de-de", tts }) });

function aRecord(partial: Partial<MessageRecord> = {}): MessageRecord {
  const languages = [english("Where you are"), german("Wo Sie sind")];
  return { ...aMessage(), createdAt: new Date(0), updatedAt: new Date(0), languages, ...partial };
}
const eachState = [
  aRecord({ category: "Kept" }),
  aRecord({ id: 2, category: "Edited", status: "STAGING" }),
  aRecord({ id: 3, category: "New", status: "STAGING" }),
  aRecord({ id: 4, category: "Gone", status: "STAGING", isDeleted: true }),
];
const published = ["Kept", "Edited", "Gone"];

const list = (
  records: readonly MessageRecord[],
  raw: Record<string, string> = {},
  { inProduction = ["Location"], uses = [] as readonly PromptUse[] } = {},
) => {
  const query = messagesPageQuery.parse(raw);
  const factsOf = ({ category }: MessageRecord) => ({
    isNew: !inProduction.includes(category),
    uses: uses.filter((use) => use.category === category),
  });
  const passing = records.filter((one) => {
    const { isNew, uses: own } = factsOf(one);
    return passesMessageFilter(one, own, query) && isInState(one, isNew, query.state);
  });
  const listed = sortRecords(passing, query.sort, ({ category }) => category, messageNumbers);
  return listed.map((one) => buildMessageRow(one, { ...factsOf(one), query }));
};
const namesOf = (rows: readonly { category: string }[]) => rows.map(({ category }) => category);

it("2.7: tells missing, partial and complete apart by the fields of the English text", () => {
  const full = aMessageLanguage({ tts: "a", line1: "b" });
  expect(rateCompleteness(null, full)).toBe("missing");
  expect(rateCompleteness(aMessageLanguage({ tts: "" }), full)).toBe("missing");
  expect(rateCompleteness(aMessageLanguage({ tts: "x" }), full)).toBe("partial");
  expect(rateCompleteness(aMessageLanguage({ tts: "x", line1: "y", label: "more" }), full)).toBe("complete");
  expect(listLackingFields(aMessageLanguage({ tts: "x" }), full)).toEqual(["line1"]);
});

describe("overview of messages", () => {
  it("2.7: counts languages and those that lack fields, and shows the chosen language", () => {
    const texts = { ...english("Where"), line1: "Place" };
    const [row] = list([aRecord({ languages: [texts, german("Wo")] })], { lang: "de-de" });
    expect(row).toMatchObject({ languageCount: 2, partialCount: 1, preview: "Wo", found: null });
    expect(list([aRecord()], { lang: "fr-ca" })[0]?.preview).toBeNull();
  });

  it("counts each state", () => {
    const counts = countByState(eachState, ({ category }) => !published.includes(category));
    expect(counts).toEqual({ all: 4, modified: 3, new: 1, edited: 1, deleted: 1, production: 1 });
  });

  it("shows what a driver would notice first", () => {
    expect(choosePreview(aMessageLanguage({ label: "d", line1: "b", line2: "c" }))).toBe("b c");
    expect(choosePreview(aMessageLanguage({ label: "d", textBody: "body", line1: "b" }))).toBe("body");
    expect(choosePreview(aMessageLanguage({ label: "d" }))).toBe("d");
    expect(choosePreview(aMessageLanguage())).toBeNull();
  });

  it("2.7: searches names and all texts in all languages, and says where it found them", () => {
    const records = [aRecord(), aRecord({ id: 2, category: "Parking", languages: [english("Free places")] })];
    expect(namesOf(list(records, { q: "PARK" }))).toEqual(["Parking"]);
    expect(list(records, { q: "wo sie" })).toEqual([
      expect.objectContaining({ category: "Location", found: { languageId: "de-de", text: "Wo Sie sind" } }),
    ]);
    expect(list(records, { q: "where" })[0]?.found).toBeNull();
    expect(list(records, { q: "nothing of the kind" })).toEqual([]);
  });

  it("2.7: shows what stands around the place where it found a long text", () => {
    const before = "x".repeat(50);
    const found = (tts: string) =>
      list([aRecord({ languages: [english("Where"), german(tts)] })], { q: "ziel" })[0]?.found?.text;
    expect(found(`${before}Ziel hier`)).toBe(`…${before.slice(10)}Ziel hier`);
    expect(found(`${before.slice(10)}Ziel hier`)).toBe(`${before.slice(10)}Ziel hier`);
    expect(found(`Ziel${"y".repeat(200)}`)).toBe(`Ziel${"y".repeat(176)}…`);
    expect(found(`Ziel${"y".repeat(176)}`)).toBe(`Ziel${"y".repeat(176)}`);
  });

  it.each([
    ["modified", ["Edited", "Gone", "New"]],
    ["edited", ["Edited"]],
    ["new", ["New"]],
    ["deleted", ["Gone"]],
    ["production", ["Kept"]],
  ])("2.7: filters by state; modified is all that waits for a promotion: %s", (state, names) => {
    expect(namesOf(list(eachState, { state }, { inProduction: published })).toSorted()).toEqual(names);
  });

  it("2.7: filters by missing language and by use", () => {
    const records = [aRecord(), aRecord({ id: 2, category: "Parking", languages: [english("Free places")] })];
    const use = { category: "Location", name: "Location-1", stagingId: 7, productionId: null, isWaiting: true };
    expect(namesOf(list(records, { missing: "de-de" }))).toEqual(["Parking"]);
    expect(namesOf(list(records, { use: "used" }, { uses: [use] }))).toEqual(["Location"]);
    expect(namesOf(list(records, { use: "unused" }, { uses: [use] }))).toEqual(["Parking"]);
  });

  it("sorts by name without case, by completeness and by time", () => {
    const records = [
      aRecord({ id: 1, category: "b", updatedAt: new Date(3) }),
      aRecord({ id: 2, category: "A", updatedAt: new Date(1), languages: [english("x")] }),
      aRecord({ id: 3, category: "C", updatedAt: new Date(2) }),
    ];
    expect(namesOf(list(records))).toEqual(["A", "b", "C"]);
    expect(namesOf(list(records, { sort: "-name" }))).toEqual(["C", "b", "A"]);
    expect(namesOf(list(records, { sort: "complete" }))).toEqual(["A", "b", "C"]);
    expect(namesOf(list(records, { sort: "-changed" }))).toEqual(["b", "C", "A"]);
  });
});

it("1.2: the address of the list: takes what is malformed for absent", () => {
  const raw = { environment: "moon", q: "  ", state: "x", lang: "german", missing: "DE-DE", size: "7", cursor: "-1" };
  expect(messagesPageQuery.parse({ ...raw, sort: "up" })).toMatchObject({
    ...{ environment: "staging", missing: "de-de", sort: "name", size: 50 },
    ...{ q: undefined, state: "all", lang: undefined, cursor: 0 },
  });
});

it("2.8: names languages in words; an unknown one is its own name", () => {
  expect(nameLanguage("de-de")).toEqual({ id: "de-de", name: "German (Germany)" });
  expect(nameLanguage("en-us").name).toBe("English (United States)");
  expect(nameLanguage("!!").name).toBe("!!");
});
