import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadLanguageSizes, measureLanguages } from "@/lib/records/messages/language-sizes";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import type { PolicySnapshot, SnapshotMessage } from "@/lib/policy/table/snapshot";
import { compiled, requestId, shortenedTable } from "@/test/support/answers";
import { aMessage, aMessageLanguage, aSnapshot, inBothViews } from "@/test/support/builders";
import { seedSnapshot } from "@/test/support/seed-snapshot";

async function answerSize(snapshot: PolicySnapshot) {
  const parts = buildAnswer(await compiled(snapshot, "production"), readPolicyTable(shortenedTable({})), requestId);
  return { plain: joinPlain(parts).length, gzip: joinGzip(parts).length };
}
const without = (messages: readonly SnapshotMessage[], languageId: string) =>
  messages.map((message) => ({
    ...message,
    languages: message.languages.filter((texts) => texts.languageId !== languageId),
  }));

describe("finding A7: what a language adds to every vehicle's table", () => {
  it("is what the answer of a vehicle loses without it", async () => {
    const snapshot = await seedSnapshot([]);
    const whole = await answerSize(snapshot);
    const { languages } = await measureLanguages(snapshot.messages.production);
    expect(languages).toHaveLength(20);
    for (const { languageId, messageCount, plain, gzip } of languages) {
      expect(messageCount).toBe(19);
      // A table without the English texts has no messages at all (rule C3).
      if (languageId === "en-us") continue;
      const messages = inBothViews(...without(snapshot.messages.production, languageId));
      const rest = await answerSize({ ...snapshot, messages });
      expect([languageId, plain]).toEqual([languageId, whole.plain - rest.plain]);
      const inAnswer = whole.gzip - rest.gzip;
      expect(Math.abs(gzip - inAnswer), `${languageId}: ${gzip}, in an answer ${inAnswer}`).toBeLessThan(
        0.1 * inAnswer,
      );
    }
  });

  it("is counted in bytes of UTF-8, of all members, also for English", async () => {
    const both = [aMessageLanguage({ label: "Position" }), aMessageLanguage({ languageId: "ja-jp", label: "位置" })];
    const { plain, gzip, messageCount, languages } = await measureLanguages([aMessage({ languages: both })]);
    const text = '{"Location":{"languages":{"en-us":{"label":"Position"},"ja-jp":{"label":"位置"}}}}';
    expect([plain, messageCount]).toEqual([Buffer.byteLength(text), 1]);
    expect(gzip).toBeLessThan(gzipSync(text).length);
    const found = { messageCount: 1, gzip: expect.any(Number) };
    expect(languages).toEqual([
      { ...found, languageId: "en-us", plain: Buffer.byteLength('"en-us":{"label":"Position"},') },
      { ...found, languageId: "ja-jp", plain: Buffer.byteLength(',"ja-jp":{"label":"位置"}') },
    ]);
  });

  it("leaves out what no table shows: deleted messages, and those without English", async () => {
    const german = [aMessageLanguage({ languageId: "de-de", label: "Ort" })];
    const { messages } = aSnapshot({
      messages: inBothViews(aMessage({ isDeleted: true }), aMessage({ category: "Other", languages: german })),
    });
    expect(await measureLanguages(messages.production)).toMatchObject({ messageCount: 0, plain: 2, languages: [] });
  });
});

describe("sizes that were measured", () => {
  const messages = (label: string) => [aMessage({ languages: [aMessageLanguage({ label })] })];

  it("are kept as long as the texts are the same, also those of the other environment", () => {
    const [staging, production] = [messages("New"), messages("Old")];
    const first = [loadLanguageSizes(staging), loadLanguageSizes(production)];
    expect(loadLanguageSizes(structuredClone(staging))).toBe(first[0]);
    expect(loadLanguageSizes(structuredClone(production))).toBe(first[1]);
  });

  it("are measured again when a text has changed, and forgotten when others are asked for", async () => {
    const before = loadLanguageSizes(messages("New"));
    expect((await loadLanguageSizes(messages("Newer"))).plain).toBe((await before).plain + 2);
    void loadLanguageSizes(messages("Newest"));
    expect(loadLanguageSizes(messages("New"))).not.toBe(before);
  });
});
