import { expect, it } from "vitest";
import { publishBody } from "@/lib/releases/publish/schema";
import { actionBody } from "@/lib/apps/applications/schema";
import { bulkBody } from "@/lib/apps/applications/bulk/schema";
import { freezeBody, rejectBody } from "@/lib/releases/schema";
import { whyUnfitName, whyUnfitText } from "@/lib/vocabulary/whole-text";
import { makeTokenBody } from "@/lib/platform/auth/schema";

const named = (code: string, name: string) => `must not hold U+${code} ${name}`;

it.each([
  ["Pay\u202eroll", named("202E", "right-to-left override")],
  ["a\u202ab", named("202A", "left-to-right embedding")],
  ["a\u2069", named("2069", "end of an isolate")],
  ["a\u200fb", named("200F", "right-to-left mark")],
  ["a\u200b", named("200B", "zero-width space")],
  ["a\u00adb", named("00AD", "soft hyphen")],
  ["a\u3164b", named("3164", "invisible character")],
  ["a\u{e0041}b", named("E0041", "invisible character")],
  ["a\u0007b", named("0007", "control character")],
  ["a\nb", named("000A", "line break")],
])("X1b, X1c: %j: %s", (text, why) => {
  expect(whyUnfitName(text)).toBe(why);
  expect(whyUnfitText(text)).toBe(why);
});

it("X1c: texts of people may have emoji, and lines where there is room for them; names of items may not", () => {
  for (const text of ["\u{1f469}\u200d\u{1f527} Kim", "\u26a0\ufe0f Care", "1\ufe0f\u20e3", "\u{1f44d}\u{1f3fd}"]) {
    expect(whyUnfitText(text)).toBeNull();
  }
  expect(whyUnfitText("one\r\n\ttwo", true)).toBeNull();
  expect(whyUnfitText("a\u200db")).toBe(named("200D", "zero-width joiner"));
  expect(whyUnfitText("one\n\u202etwo", true)).toBe(named("202E", "right-to-left override"));
  expect(whyUnfitName("\u26a0\ufe0f Care")).toBe(named("FE0F", "invisible character"));
});

const hidden = "a\u202eb";
const at = { from: "2026-03-01T06:00:00Z", to: "2026-03-02T06:00:00Z" };
it.each([
  ["name of a release", publishBody, { items: "all", name: hidden }, "name"],
  ["note", publishBody, { items: "all", note: hidden }, "note"],
  ["reason of a publication", publishBody, { items: "all", reason: hidden }, "reason"],
  ["reason of a freeze", freezeBody, { ...at, reason: hidden }, "reason"],
  ["reason of a rejection", rejectBody, { reason: hidden }, "reason"],
  ["reason of a decision", actionBody, { id: 1, approval_status: "LIMITED", denial_message: hidden }, "denial_message"],
  ["reason of many decisions", bulkBody, { decision: "limit", reason: hidden, items: [{ id: 1, seen: {} }] }, "reason"],
  ["name of a token", makeTokenBody, { name: hidden, role: "viewer" }, "name"],
])("X1c: a %s has nothing that nobody sees", (_, schema, body, member) => {
  const messages = schema.safeParse(body).error?.issues.map(({ message }) => message);
  expect(messages).toContain(`${member} must not hold U+202E right-to-left override`);
});
