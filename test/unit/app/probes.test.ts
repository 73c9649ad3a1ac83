import { expect, it } from "vitest";
import * as health from "@/app/health/route";
import * as version from "@/app/version/route";
import packageJson from "@/package.json";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();

it("2.2: health answers OK as plain text", async () => {
  useSettings();
  const response = health.GET();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).toBe("OK");
});

it("2.3: version answers the package version as plain text", async () => {
  useSettings();
  const response = version.GET();
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await response.text()).toBe(packageJson.version);
});
