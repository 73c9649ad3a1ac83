import { expect, it } from "vitest";
import { buildLoginPath, buildSafePath } from "@/lib/platform/auth/safe-path";

it.each([
  ["/applications", "/applications"],
  ["/applications/3?environment=staging#top", "/applications/3?environment=staging#top"],
  ["/a/../b", "/b"],
  ["/?next=//evil.example", "/?next=//evil.example"],
])("leads from the login to %s", (text, path) => expect(buildSafePath(text)).toBe(path));

it.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "evil",
  "",
  " /a",
  "/login",
  "/login/?next=/a",
  "/api/v1/about",
  undefined,
  null,
  ["/a", "/b"],
])("does not lead to %j", (text) => expect(buildSafePath(text)).toBe("/"));

it("leads to where the caller says instead", () => {
  expect(buildSafePath("//evil.example", "/applications")).toBe("/applications");
  expect(buildSafePath("/login", "/applications")).toBe("/applications");
  expect(buildSafePath("/about", "/applications")).toBe("/about");
});

it("gives the login page the way back", () => {
  expect(buildLoginPath("/groups?environment=staging&a=b")).toBe(
    "/login?redirect=%2Fgroups%3Fenvironment%3Dstaging%26a%3Db",
  );
  expect(buildLoginPath("//evil.example")).toBe("/login");
  expect(buildLoginPath(null)).toBe("/login");
});
