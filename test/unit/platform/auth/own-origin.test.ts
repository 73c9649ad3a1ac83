import { expect, it } from "vitest";
import { findRequestOrigin, isSameOrigin, isSecureRequest } from "@/lib/platform/auth/request-guard";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();

const host = { host: "policy.lan:3000" };

it.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ origin: "http://policy.lan:3000" }, true],
  [{ origin: "https://policy.example.com" }, true],
  [{ origin: "HTTPS://Policy.Example.com:443" }, true],
  [{}, false],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, false],
  [{ "sec-fetch-site": "none" }, false],
  [{ origin: "null" }, false],
  [{ origin: "" }, false],
  [{ origin: "https://policy.lan:3000" }, false],
  [{ origin: "http://policy.lan:3001" }, false],
  [{ origin: "http://policy.example.com" }, false],
  [{ origin: "https://policy.example.com.evil.example" }, false],
])("2.1: %j comes from a page of this server: %s", (headers, expected) => {
  useSettings({ PUBLIC_BASE_URL: "https://policy.example.com" });
  expect(isSameOrigin(new Headers({ ...host, ...headers }))).toBe(expected);
});

it("does not take a missing host for an origin", () => {
  useSettings({ PUBLIC_BASE_URL: "https://policy.example.com" });
  expect(findRequestOrigin(new Headers())).toBe("https://policy.example.com");
  expect(isSameOrigin(new Headers({ origin: "http://" }))).toBe(false);
});

it("is secure over TLS, and under a public https address, but not on the plain port", () => {
  useSettings({ PUBLIC_BASE_URL: "https://policy.example.com" });
  expect(isSecureRequest(new Headers(host))).toBe(false);
  expect(isSecureRequest(new Headers({ ...host, "x-forwarded-proto": "https" }))).toBe(true);
  expect(isSecureRequest(new Headers({ host: "policy.example.com" }))).toBe(true);
  useSettings({ PUBLIC_BASE_URL: "http://policy.example.com" });
  expect(isSecureRequest(new Headers({ host: "policy.example.com" }))).toBe(false);
});
