import { describe, expect, it } from "vitest";
import {
  changeText,
  changeTexts,
  findTextProblems,
  isLanguageChanged,
  rateLanguage,
  listFilledLanguages,
  readTexts,
  toBody,
  toDraft,
} from "@/app/(console)/consumermessages/message-draft";
import { buildSaveCheck } from "@/app/(console)/consumermessages/manage/save-check";
import { saveMessagesBody } from "@/lib/records/messages/schema";

const language = (language_id: string, members: Record<string, unknown> = {}) => ({
  ...{ id: 0, language_id, selected: false, message_category_id: 0 },
  ...{ line1: "", line2: "", tts: "", text_body: "", label: "", ...members },
});
const languageIds = ["de-de", "en-us", "fr-ca"];
const stored = toDraft({
  message_category: "Location",
  languages: [
    language("de-de", { selected: true, tts: "Darf %appName% das?", line1: null }),
    language("en-us", { selected: true, tts: "May %appName%?", line1: "May it?" }),
    language("fr-ca"),
  ],
});
const issuesOf = async (draft: typeof stored, takenNames: Parameters<typeof buildSaveCheck>[0]["takenNames"] = []) => {
  const body = toBody(draft, 3, false);
  const checked = await buildSaveCheck({ draft, base: stored, languageIds, takenNames }).safeParseAsync(body);
  return checked.error?.issues.map(({ path, message }) => [path.join("."), message]);
};

describe("draft of a message", () => {
  it("gives the body of the save: languages in use, empty texts as null", () =>
    expect(saveMessagesBody.parse(toBody(stored, 3, false)).messages).toEqual([
      {
        message_category: "Location",
        is_deleted: false,
        base_id: 3,
        languages: [
          expect.objectContaining({ language_id: "de-de", tts: "Darf %appName% das?", line1: null }),
          expect.objectContaining({ language_id: "en-us", line1: "May it?", text_body: null }),
        ],
      },
    ]));

  it("2.8: has English from the beginning, and English cannot be taken out", () => {
    const empty = toDraft({ message_category: "", languages: [language("en-us")] });
    expect(empty["en-us"]).toBe(true);
    expect(changeTexts("en-us", null)["en-us"]).toBe(true);
    expect(changeText(stored, empty, { languageId: "en-us", field: "tts", text: "" })["en-us"]).toBe(true);
  });

  it("adds a language with its first text, and leaves no trace of one that was only tried", () => {
    const added = { ...stored, ...changeText(stored, stored, { languageId: "fr-ca", field: "tts", text: "O" }) };
    expect(readTexts(added, "fr-ca")).toMatchObject({ tts: "O", line1: null });
    const gone = { ...added, ...changeText(added, stored, { languageId: "fr-ca", field: "tts", text: "" }) };
    expect(gone).toEqual(stored);
  });

  it("tells what a language lacks, and whether it differs from what is stored", () => {
    expect(rateLanguage(stored, "de-de")).toEqual({ state: "partial", lacking: ["line1"] });
    expect(rateLanguage(stored, "fr-ca")).toEqual({ state: "missing", lacking: [] });
    expect(isLanguageChanged(["de-de.tts"], "de-de")).toBe(true);
    expect(isLanguageChanged(["de-de.tts"], "en-us")).toBe(false);
    expect(listFilledLanguages(stored, [{ id: "fr-ca" }, { id: "de-de" }])).toEqual([{ id: "de-de" }]);
  });
});

describe("check before a save", () => {
  it("2.8: lets a message through whose placeholders are those of the English text", async () =>
    expect(await issuesOf(stored)).toBeUndefined());

  it("2.8: stops a misspelt placeholder, at its text", async () => {
    const wrong = { ...stored, "de-de.tts": "Darf %appname% das?" };
    const problem = "%appname% is not in the English text; it says %appName%";
    expect(findTextProblems(wrong, stored, languageIds)).toEqual({ "de-de.tts": problem });
    expect(await issuesOf(wrong)).toEqual([["de-de.tts", problem]]);
  });

  it("U12: stops English placeholders that head units do not replace, at their text", async () => {
    const wrong = { ...stored, "de-de": false, "en-us.tts": "Hello %appNme%" };
    const problem = "Head units show %appNme% as it is. Use %appName%";
    expect(findTextProblems(wrong, stored, languageIds)).toEqual({ "en-us.tts": problem });
    expect(await issuesOf(wrong)).toEqual([["en-us.tts", problem]]);
  });

  it("X1b: names the character that nobody sees in a name, at its field", async () => {
    const problem = "The name must not hold U+202E right-to-left override";
    expect(await issuesOf({ ...stored, category: "Loca\u202etion" })).toContainEqual(["category", problem]);
  });

  it("does not look at texts of a language that is taken out", async () =>
    expect(await issuesOf({ ...stored, ...changeTexts("de-de", null) })).toBeUndefined());

  it("6.9: never takes the place of another message, in whatever letter case", async () => {
    const taken = [{ name: "Location", id: 9, isVisible: true }];
    const expected = [["category", "There is already a message Location. Choose another name"]];
    expect(await issuesOf({ ...stored, category: " location " }, taken)).toEqual(expected);
    expect(await issuesOf({ ...stored, category: " " })).toEqual([["category", "Give the message a name"]]);
    // One that was removed gives its name free.
    expect(await issuesOf(stored, [{ name: "Location", id: 9, isVisible: false }])).toBeUndefined();
  });
});
