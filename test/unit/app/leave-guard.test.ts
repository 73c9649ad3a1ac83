import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leavesUnsaved, listDirty, noteDirty, stopGuarding } from "@/app/_components/form/leave-guard";

/* Leaving unsaved changes asks once. */

const here = "https://console.example/functionalgroups/manage?name=Base-4&environment=staging&q=alert";
beforeEach(() => {
  vi.stubGlobal("window", { location: { href: here } });
  noteDirty("group:Base-4", true);
});
afterEach(() => {
  stopGuarding();
  vi.unstubAllGlobals();
});

describe("unsaved changes", () => {
  it.each([
    ["another page", "/functionalgroups"],
    ["another server", "https://elsewhere.example/functionalgroups/manage?name=Base-4&environment=staging"],
    ["another item by its name", "?name=Location-1&environment=staging"],
    ["another item by its id", "?id=7&environment=staging"],
    ["another message", "?category=Location&name=Base-4&environment=staging"],
    ["a copy of an item", "?from=7&name=Base-4&environment=staging"],
    ["the other environment", "?name=Base-4&environment=production"],
  ])("are left by %s", (_title, href) => {
    expect(leavesUnsaved(href)).toBe(true);
  });

  it("are not left by another view of the same item, nor where there are none", () => {
    expect(leavesUnsaved("?name=Base-4&environment=staging&q=show")).toBe(false);
    expect(leavesUnsaved("#rpcs")).toBe(false);
    stopGuarding();
    expect(listDirty()).toEqual([]);
    expect(leavesUnsaved("/functionalgroups")).toBe(false);
  });
});
