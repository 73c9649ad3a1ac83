import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { RouteHandler } from "@/lib/routes/route";
import { factsOf } from "@/lib/routes/route-facts";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

/*
 * What no route file may forget: to complete its methods, and to ask who is calling. The files themselves say which
 * paths exist; only the paths that are open to everyone are listed.
 */

const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Every path of class P or W (`api.md` section 16); all others are of class A. */
const openPaths = [
  ...["login", "logout", "applications/certificate/get", "applications/store", "applications/store/staging"],
  ...["staging/policy", "production/policy", "openapi.json", "exchange/schema.json"],
];

const folder = "app/api/v1/";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("/route.ts"))
  .map((file) => file.slice(0, -"/route.ts".length))
  .filter((path) => path !== "[[...path]]");

const load = async (path: string): Promise<Record<(typeof allMethods)[number], RouteHandler>> =>
  import(/* @vite-ignore */ resolve(folder, path, "route.ts"));

/** Asks by a method that the route does not know. */
async function askWrongly(path: string): Promise<Response> {
  const handlers = await load(path);
  const method = (["PATCH", "DELETE", "PUT", "POST"] as const).find((name) => factsOf(handlers[name]) === null);
  if (method === undefined) throw new Error(`${path} knows every method`);
  return handlers[method](aRequest(`/api/v1/${path}`, { method }));
}

forgetSettings();

it.each(files)("0.1: %s exports every method, and answers what it does not know with 405 and Allow", async (path) => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  const handlers = await load(path);
  expect(Object.keys(handlers)).toEqual(expect.arrayContaining([...allMethods]));
  const response = await askWrongly(path);
  expect(response.status).toBe(405);
  const allowed = response.headers.get("allow")?.split(", ") ?? [];
  expect(allowed.length).toBeGreaterThan(0);
  expect(allMethods).toEqual(expect.arrayContaining(allowed));
  expect((await readAnswer(response)).meta.message).toBe("Method not allowed");
});

const guarded = files.filter((path) => !openPaths.includes(path));
it.each(guarded)("0.6: %s lets nobody in without a password or key", async (path) => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  const handlers = await load(path);
  const { headers } = await askWrongly(path);
  for (const method of allMethods.filter((name) => headers.get("allow")?.split(", ").includes(name))) {
    const response = await handlers[method](aRequest(`/api/v1/${path}`, { method }));
    expect([method, response.status]).toEqual([method, 401]);
  }
});

it("knows at least the route files of this test's own area", () => {
  expect(files).toContain("about");
});

it("0.1: answers unknown paths with 404 in the envelope, whatever the method", async () => {
  const handlers = await load("[[...path]]");
  for (const method of allMethods) {
    const response = await handlers[method](aRequest("/api/v1/webhooks", { method }));
    expect(response.status).toBe(404);
    if (method !== "HEAD") expect((await readAnswer(response)).meta.message).toBe("Not found");
  }
});

it("0.1: answers 404 at /webhooks", async () => {
  const { POST } = await import("@/app/webhooks/route");
  expect((await POST(aRequest("/webhooks", { body: {} }))).status).toBe(404);
});
