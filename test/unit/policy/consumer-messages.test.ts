import { describe, expect, it, onTestFinished, vi } from "vitest";
import { messagesVersion } from "@/lib/policy/table/consumer-messages";
import type { SnapshotMessage, Views } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/labels/vocabulary";
import { builtTable, compiled, reportsOf } from "@/test/support/answers";
import { aMessage, aMessageLanguage, aSnapshot, inBothViews, viewsOf } from "@/test/support/builders";

/** The section as a vehicle gets it, checked as a head unit checks it. */
async function section(messages: Views<SnapshotMessage>, environment: Environment = "production") {
  return (await builtTable(aSnapshot({ messages }), { environment })).consumer_friendly_messages;
}

describe("C1: version", () => {
  it.each([
    [0, "000.000.000"],
    [1, "000.000.001"],
    [1_234, "000.001.234"],
    [1_234_567, "001.234.567"],
    [999_999_999, "999.999.999"],
  ])("C1: writes %d as %s", (id, version) => {
    expect(messagesVersion(id)).toBe(version);
  });

  it("C1: refuses to build above nine digits", async () => {
    expect(() => messagesVersion(1_000_000_000)).toThrow(RangeError);
    const tooLarge = aSnapshot({ messages: inBothViews(aMessage({ id: 1_000_000_000 })) });
    await expect(compiled(tooLarge, "production")).rejects.toThrow("message id 1000000000 does not fit");
  });

  it("C1: does not depend on the host's locale", () => {
    const formatting = vi.spyOn(Number.prototype, "toLocaleString").mockReturnValue("١٬٢٣٤");
    onTestFinished(() => formatting.mockRestore());
    expect(messagesVersion(1_234)).toBe("000.001.234");
  });

  it("C1: is the greatest id of the view, whatever its place, deleted or damaged", async () => {
    const messages = (last: Partial<SnapshotMessage>) =>
      inBothViews(
        aMessage({ id: 41 }),
        aMessage({ id: 42, category: "Other", ...last }),
        aMessage({ id: 7, category: "Z" }),
      );
    expect((await section(messages({}))).version).toBe("000.000.042");
    expect((await section(messages({ isDeleted: true }))).version).toBe("000.000.042");
    expect((await section(messages({ languages: [] }))).version).toBe("000.000.042");
  });

  it("C1: is zero without messages", async () => {
    expect(await section(inBothViews())).toEqual({ version: "000.000.000", messages: {} });
  });
});

describe("C2: saving and promoting", () => {
  const saved = aMessage({ id: 1 });
  const category = (message: SnapshotMessage) => message.category;

  it("C2: a save raises the staging version only", async () => {
    const messages = viewsOf([saved, aMessage({ id: 2, status: "STAGING" })], category);
    expect((await section(messages, "staging")).version).toBe("000.000.002");
    expect((await section(messages, "production")).version).toBe("000.000.001");
  });

  it("C2: a promotion raises both", async () => {
    const messages = viewsOf([saved, aMessage({ id: 2, status: "STAGING" }), aMessage({ id: 3 })], category);
    expect((await section(messages, "staging")).version).toBe("000.000.003");
    expect((await section(messages, "production")).version).toBe("000.000.003");
  });
});

describe("C3: messages", () => {
  it("C3: ascend by category, by code unit", async () => {
    const messages = inBothViews(...["b", "A", "a", "C", "B"].map((category) => aMessage({ category })));
    expect(Object.keys((await section(messages)).messages)).toEqual(["A", "B", "C", "a", "b"]);
  });

  it.each(["staging", "production"] as const)("C3: without deleted ones (%s)", async (environment) => {
    const messages = inBothViews(aMessage(), aMessage({ category: "Gone", isDeleted: true }));
    expect(Object.keys((await section(messages, environment)).messages)).toEqual(["Location"]);
  });

  it.each(["de-de", "en-gb", "EN-US"])(
    "C3: a record with %s but no en-us is left out and reported",
    async (languageId) => {
      const damaged = aMessage({ category: "Damaged", languages: [aMessageLanguage({ languageId, label: "x" })] });
      const messages = inBothViews(damaged, aMessage());
      expect(Object.keys((await section(messages)).messages)).toEqual(["Location"]);
      expect(await reportsOf(aSnapshot({ messages }), "production")).toEqual([
        "message Damaged: it has no en-us text, which every head unit demands",
      ]);
    },
  );

  it("C3: a deleted record without en-us is not reported", async () => {
    const messages = inBothViews(aMessage({ languages: [], isDeleted: true }));
    expect(await reportsOf(aSnapshot({ messages }), "production")).toEqual([]);
  });
});

it("C4: languages ascend by id", async () => {
  const languages = ["fr-fr", "en-us", "de-de", "en-gb"].map((languageId) => aMessageLanguage({ languageId }));
  const { messages } = await section(inBothViews(aMessage({ languages })));
  expect(Object.keys(messages.Location)).toEqual(["languages"]);
  expect(Object.keys(messages.Location.languages)).toEqual(["de-de", "en-gb", "en-us", "fr-fr"]);
});

describe("C5: texts", () => {
  const textsOf = async (texts: Partial<Parameters<typeof aMessageLanguage>[0]>) =>
    (await section(inBothViews(aMessage({ languages: [aMessageLanguage(texts)] })))).messages.Location.languages[
      "en-us"
    ];

  it("C5: stand in order", async () => {
    const texts = await textsOf({ label: "l", textBody: "b", line2: "2", line1: "1", tts: "t" });
    expect(Object.entries(texts)).toEqual([
      ["tts", "t"],
      ["line1", "1"],
      ["line2", "2"],
      ["textBody", "b"],
      ["label", "l"],
    ]);
  });

  it.each(["tts", "line1", "line2", "textBody", "label"])("C5: %s is omitted when null or empty", async (field) => {
    const full = { tts: "t", line1: "1", line2: "2", textBody: "b", label: "l" };
    const { [field]: _, ...others } = full as Record<string, string>;
    expect(await textsOf({ ...full, [field]: null })).toEqual(others);
    expect(await textsOf({ ...full, [field]: "" })).toEqual(others);
  });

  it("C5: a language with all five empty gives an empty object", async () => {
    expect(await textsOf({ tts: "" })).toEqual({});
  });
});
