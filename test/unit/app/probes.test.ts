import { expect, it } from "vitest";
import * as health from "@/app/health/route";
import * as ready from "@/app/health/ready/route";
import * as metrics from "@/app/metrics/route";
import * as version from "@/app/version/route";
import packageJson from "@/package.json";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();

it("2.2: health answers OK as plain text", async () => {
  useSettings();
  const response = await health.GET(aRequest("/health"));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).toBe("OK");
});

it("2.3: version answers the package version as plain text", async () => {
  useSettings();
  const response = await version.GET(aRequest("/version"));
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await response.text()).toBe(packageJson.version);
});
it.each(Object.entries({ "/health": health, "/health/ready": ready, "/version": version, "/metrics": metrics }))(
  "0.1, finding D2: another method is answered 405 with Allow: %s",
  async (path, handlers) => {
    useSettings();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const response = await handlers[method](aRequest(path, { method }));
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      await readAnswer(response);
    }
  },
);
