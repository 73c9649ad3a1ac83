import { describe, expect, it } from "vitest";
import {
  absent,
  digestOfContent,
  digestOfFlags,
  digestOfHeads,
  headsByKey,
  isUndecided,
} from "@/lib/exchange/migration/items";

const group = (_id: number, status: string, more: object = {}) => ({
  ...{ _id, status, name: "Base-4", createdAt: new Date(_id), release: _id },
  ...{ description: null, rpcs: [{ name: "Show", levels: ["FULL"], parameters: [] }], ...more },
});

describe("X10a: what changed is told by digests", () => {
  it("the same content has one, whatever its ids, times and empty members", () => {
    const read = group(9, "PRODUCTION", { description: undefined, userConsentPrompt: null });
    expect(digestOfContent(group(1, "PRODUCTION"))).toBe(digestOfContent(read));
    const text = (id: number, languageId: string) => ({ id, languageId, tts: languageId });
    const message = (_id: number, ...languages: object[]) => ({ _id, category: "A", languages });
    expect(digestOfContent(message(1, text(1, "de-de"), text(2, "en-us")))).toBe(
      digestOfContent(message(2, text(8, "en-us"), text(7, "de-de"))),
    );
    const node = (id: number, parentId: number | null, name: string) => ({ id, parentId, name });
    const tree = (_id: number, ...nodes: object[]) => ({ _id, name: "a", nodes });
    const one = tree(1, node(1, null, "a"), node(2, 1, "b"), node(3, 2, "c"));
    expect(digestOfContent(tree(7, node(7, null, "a"), node(9, 7, "b"), node(8, 9, "c")))).toBe(digestOfContent(one));
    expect(digestOfContent(tree(1, node(1, null, "a"), node(2, 1, "b"), node(3, 1, "c")))).not.toBe(
      digestOfContent(one),
    );
  });

  it.each([
    ["a level", { rpcs: [{ name: "Show", levels: ["FULL", "LIMITED"] }] }],
    ["a parameter", { rpcs: [{ name: "Show", levels: ["FULL"], parameters: ["gps"] }] }],
    ["a prompt", { userConsentPrompt: "Location" }],
    ["a deletion", { isDeleted: true }],
  ])("%s makes another one", (_, more) => {
    expect(digestOfContent(group(1, "STAGING", more))).not.toBe(digestOfContent(group(1, "STAGING")));
  });

  it("both views count, and so does what waits in staging", () => {
    const digestOf = (...records: ReturnType<typeof group>[]) =>
      digestOfHeads(headsByKey(records, "name").get("Base-4") ?? { production: null, staging: null });
    const published = digestOf(group(1, "PRODUCTION"));
    expect(digestOf(group(1, "STAGING"), group(2, "PRODUCTION"))).toBe(published);
    expect(digestOf(group(2, "PRODUCTION"), group(3, "STAGING"))).not.toBe(published);
    expect(digestOf(group(1, "STAGING"))).not.toBe(published);
    expect(digestOf()).toBe(absent);
  });

  it("flags that are all off are as good as none", () => {
    expect(digestOfFlags({ _id: 1, isBlacklisted: false, hybridAppPreference: null })).toBe(absent);
    expect(digestOfFlags({ _id: 1, isBlacklisted: true })).not.toBe(absent);
  });

  it("a version is undecided as the directory delivers it", () => {
    const version = { _id: 1, approvalStatus: "PENDING", services: [{ name: "MEDIA", selectedPermissions: [] }] };
    expect(isUndecided(version)).toBe(true);
    expect(isUndecided({ ...version, groupGrants: ["Partner"] })).toBe(false);
    expect(isUndecided({ ...version, approvalStatus: "LIMITED" })).toBe(false);
  });
});
