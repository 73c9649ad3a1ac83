import { describe, expect, it, onTestFinished, vi } from "vitest";
import { messagesVersion } from "@/lib/policy/table/consumer-messages";
import type { SnapshotMessage, Views } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import { builtTable, compiled, reportsOf } from "@/test/support/answers";
import { aMessage, aMessageLanguage, aSnapshot, inBothViews } from "@/test/support/builders";

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
  ])("C1: writes %d as %s", (id, version) => expect(messagesVersion(id)).toBe(version));

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

  it("C1, C2, T14: is the greatest id of the view, whatever its place, deleted or damaged", async () => {
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
});

describe("C3: messages", () => {
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

it("C4: leaves out a language without texts, but never en-us, which then says nothing in any build", async () => {
  const empty = ["en-us", "fr-fr", "de-de"].map((languageId) => aMessageLanguage({ languageId, label: "" }));
  const german = aMessageLanguage({ languageId: "de-de", line2: "da" });
  const messages = inBothViews(
    aMessage({ languages: empty }),
    aMessage({ category: "Some", languages: [german, ...empty.slice(0, 2)] }),
  );
  const text = JSON.stringify((await section(messages)).messages);
  expect(text).toBe('{"Location":{"languages":{"en-us":{}}},"Some":{"languages":{"de-de":{"line2":"da"},"en-us":{}}}}');
});
