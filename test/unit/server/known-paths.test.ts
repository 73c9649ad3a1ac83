import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readKnownPaths, requestKindOf } from "@/server/refusals/known-paths";
import { aNextBuild } from "@/test/support/next-build";

const { build, files } = aNextBuild();
const kindOf = readKnownPaths(build, files);

it.each([
  ["/", "page"],
  ["/about", "page"],
  ["/about/", "page"],
  ["//about", "page"],
  ["/login/basic", "page"],
  ["/applications/4", "page"],
  ["/applications/%2e%2e", "page"],
  ["/api/v1/groups", "route"],
  ["/api/1/groups/", "route"],
  ["/api/v1/gro%75ps", "route"],
  ["/api/auth/csrf", "route"],
  ["/api/1/applications/rpcencryption", "route"],
  ["/api/v1/applications/rpcencryption", "route"],
  ["/bundles/a.zip", "route"],
  ["/icon.svg", "route"],
  ["/images/lock-screen.png", "file"],
  ["/images/lock%2Dscreen.png", "file"],
  ["/_next/static/chunks/a~b.js", "file"],
  ["/_next/static/chunks/a%7Eb.js", "file"],
])("N10: %s leads to a %s", (given, kind) => expect(kindOf(given)).toBe(kind));

it.each([
  ...["/wp-login.php", "/About", "/about/more", "/applications/4/5", "/api", "/api/v1", "/api/v1/none"],
  ...["/api/1/Groups", "/api/2/groups", "/api/v1/applications/RPCENCRYPTION", "/bundles", "/health/more"],
  ...["/webhooks", "/_not-found", "/_next/static/chunks/none.js", "/_next/static/../../package.json"],
  ...["/_next/image", "/images/none.png", "/images", "/favicon.ico"],
])("N10: %s leads to nothing", (given) => expect(kindOf(given)).toBe("unknown"));

it("N10: a build that notes its routes in another way is not taken for one without routes", () => {
  const other = aNextBuild();
  writeFileSync(path.join(other.build, "routes-manifest.json"), '{"version":4,"routes":[]}');
  expect(() => readKnownPaths(other.build, other.files)).toThrow();
  rmSync(path.join(other.build, "routes-manifest.json"));
  expect(() => readKnownPaths(other.build, other.files)).toThrow(/ENOENT/);
});

it.each([
  ["/about", "page", "page"],
  ["/api/v1/groups", "route", "api"],
  ["/health", "route", "machine"],
  ["/icon.svg", "route", "file"],
  ["/api/v1/none", "unknown", "unknown"],
  ["/api/v1/groups", null, "api"],
  ["/metrics", null, "machine"],
  ["/_next/x", null, "file"],
  ["/about", null, "page"],
] as const)("N6: in the figures %s (%s) counts as %s", (given, kind, counted) => {
  expect(requestKindOf(given, kind)).toBe(counted);
});
