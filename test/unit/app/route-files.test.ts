import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { RouteHandler } from "@/app/_api/api-route";
import { factsOf } from "@/app/_api/route-facts";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

/* The files themselves say which paths exist; whom they let in: test/unit/platform/auth/roles.test.ts. */

const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const folder = "app/api/v1/";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("/route.ts"))
  .map((file) => file.slice(0, -"/route.ts".length))
  .filter((path) => path !== "[[...path]]");

const load = async (path: string): Promise<Record<(typeof allMethods)[number], RouteHandler>> =>
  import(/* @vite-ignore */ resolve(folder, path, "route.ts"));

forgetSettings();

it.each(files)("0.1: %s exports every method, and answers what it does not know with 405 and Allow", async (path) => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  const handlers = await load(path);
  expect(Object.keys(handlers)).toEqual(expect.arrayContaining([...allMethods]));
  const method = (["PATCH", "DELETE", "PUT", "POST"] as const).find((name) => factsOf(handlers[name]) === null);
  if (method === undefined) throw new Error(`${path} knows every method`);
  const response = await handlers[method](aRequest(`/api/v1/${path}`, { method }));
  expect(response.status).toBe(405);
  const allowed = response.headers.get("allow")?.split(", ") ?? [];
  expect(allowed.length).toBeGreaterThan(0);
  expect(allMethods).toEqual(expect.arrayContaining(allowed));
  expect((await readAnswer(response)).meta.message).toBe("Method not allowed");
});

it("knows at least the route files of this test's own area", () => expect(files).toContain("about"));

it("0.1: answers unknown paths with 404 in the envelope, whatever the method", async () => {
  const handlers = await load("[[...path]]");
  for (const method of allMethods) {
    const response = await handlers[method](aRequest("/api/v1/webhooks", { method }));
    expect(response.status).toBe(404);
    if (method !== "HEAD") expect((await readAnswer(response)).meta.message).toBe("Not found");
  }
});

it("0.1: answers 404 at /webhooks, whatever the method", async () => {
  const handlers = await import("@/app/webhooks/route");
  for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
    expect((await handlers[method](aRequest("/webhooks", { method }))).status).toBe(404);
  }
});
