import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { RouteHandler } from "@/app/_api/api-route";
import { factsOf } from "@/app/_api/route-facts";
import { aRequest, readAnswer } from "@/test/support/requests";
import { routeIndex } from "@/test/support/route-index";
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

const corsOf = (path: string) => routeIndex.find((row) => row[1] === `/${path}`)?.[2];

forgetSettings();

it.each(files)(
  "0.1: %s exports every method, and answers those that it does not know with 405 and Allow",
  async (path) => {
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
    const handlers = await load(path);
    expect(Object.keys(handlers)).toEqual(expect.arrayContaining([...allMethods]));
    const known = allMethods.filter((name) => factsOf(handlers[name]) !== null);
    if (known.includes("GET")) known.push("HEAD");
    if (corsOf(path) === "preflight") known.push("OPTIONS");
    for (const method of allMethods.filter((name) => !known.includes(name))) {
      const response = await handlers[method](aRequest(`/api/v1/${path}`, { method }));
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get("allow")?.split(", ").sort()).toEqual(known.toSorted());
      if (method !== "HEAD") expect((await readAnswer(response)).meta.message).toBe("Method not allowed");
    }
  },
);

it.each(files)("0.7: %s says to other origins what it has to, on failures too, and nothing else", async (path) => {
  const handlers = await load(path);
  const headers = { "access-control-request-method": "POST", "access-control-request-headers": "x-a" };
  const preflight = await handlers.OPTIONS(aRequest("/", { method: "OPTIONS", headers }));
  const failed = await handlers.PUT(aRequest("/", { method: "PUT", body: "{" }));
  expect([failed.ok, failed.headers.get("access-control-allow-origin")]).toEqual([false, corsOf(path) ? "*" : null]);
  const names = [...preflight.headers.keys()].filter((name) => name.startsWith("access-control-"));
  if (corsOf(path) === "preflight") expect([preflight.status, names.length > 0]).toEqual([204, true]);
  else expect([preflight.status, names]).toEqual([405, []]);
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
