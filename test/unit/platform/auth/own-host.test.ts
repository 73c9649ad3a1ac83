import { describe, expect, it } from "vitest";
import { isOwnHost } from "@/lib/platform/auth/request-guard";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();

const configured = { POLICY_SERVER_HOST: "Policy.lan", PUBLIC_BASE_URL: "https://policy.example.com" };

describe("finding B1: while AUTH_TYPE is not set, a request names this server by a name of its own", () => {
  it.each([
    [null, true],
    ["localhost", true],
    ["LOCALHOST:3000", true],
    ["127.0.0.1:3000", true],
    ["127.8.9.10", true],
    ["[::1]:3000", true],
    ["policy.lan:3000", true],
    ["policy.example.com", true],
    ["evil.example:3000", false],
    ["localhost.evil.example", false],
    ["127.0.0.1.evil.example", false],
    ["policy.example.com.evil.example", false],
    ["evil.localhost.", false],
    ["192.168.1.5:3000", false],
    ["0.0.0.0:3000", false],
    ["[::]:3000", false],
    ["", false],
    ["a b", false],
    ["evil.example/@localhost", false],
  ])("%j: %s", (host, expected) => {
    useSettings(configured);
    expect(isOwnHost(new Headers(host === null ? {} : { host }))).toBe(expected);
  });

  it("does not believe a forwarded name that anybody could have written", () => {
    useSettings(configured);
    expect(isOwnHost(new Headers({ host: "evil.example", "x-forwarded-host": "localhost" }))).toBe(false);
  });

  it.each([{ AUTH_TYPE: "none" }, { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" }])(
    "any name will do with %j",
    (env) => {
      useSettings({ ...configured, ...env });
      expect(isOwnHost(new Headers({ host: "evil.example" }))).toBe(true);
    },
  );
});
