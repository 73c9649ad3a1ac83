import { encode } from "next-auth/jwt";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { buildSessionClaims, decodeSession, encodeSession } from "@/lib/auth/session-token";
import { forgetSettings, useSettings } from "@/test/support/settings";

const secret = "0123456789abcdef0123456789abcdef";
const env = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: secret };
const hour = 60 * 60 * 1000;

forgetSettings();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  useSettings(env);
});
afterEach(() => vi.useRealTimers());

it("2.1: holds for 12 hours and never holds the password", async () => {
  const token = await encodeSession(buildSessionClaims());
  vi.setSystemTime(Date.now() + 12 * hour - 60_000);
  const claims = await decodeSession(token);
  expect(claims).toMatchObject({ sub: "administrator", name: "Administrator" });
  expect(JSON.stringify(claims)).not.toContain("open sesame");
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await decodeSession(token)).toBeNull();
});

it("2.1: does not live longer for being sealed again", async () => {
  const token = await encodeSession(buildSessionClaims());
  vi.setSystemTime(Date.now() + 11 * hour);
  const again = await encodeSession((await decodeSession(token)) ?? {});
  expect(await decodeSession(again)).not.toBeNull();
  vi.setSystemTime(Date.now() + hour + 60_000);
  expect(await decodeSession(again)).toBeNull();
});

it("ends with the password and with the secret", async () => {
  const token = await encodeSession(buildSessionClaims());
  useSettings({ ...env, BASIC_AUTH_PASSWORD: "another one" });
  expect(await decodeSession(token)).toBeNull();
  useSettings({ ...env, SESSION_SECRET: `${secret}!` });
  expect(await decodeSession(token)).toBeNull();
  useSettings(env);
  expect(await decodeSession(token)).not.toBeNull();
});

it("is nothing but what was sealed here for this purpose", async () => {
  const token = await encodeSession(buildSessionClaims());
  const changed = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
  for (const text of [null, undefined, "", "x", "a.b.c.d.e", changed]) expect(await decodeSession(text)).toBeNull();
  expect(await decodeSession(await encode({ token: { sub: "administrator" }, secret }))).toBeNull();
  expect(await decodeSession(await encode({ token: { ...buildSessionClaims(), sub: "other" }, secret }))).toBeNull();
});
