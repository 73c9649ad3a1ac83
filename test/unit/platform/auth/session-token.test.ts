import { encode } from "next-auth/jwt";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  buildSessionClaims,
  decodeSession,
  encodeSession,
  endSession,
  findSessionEnd,
  isSealOld,
} from "@/lib/platform/auth/session-token";
import { log } from "@/lib/platform/log";
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

async function useUntil(token: string, time: number): Promise<string> {
  let used = token;
  while (Date.now() + hour <= time) {
    vi.setSystemTime(Date.now() + hour);
    used = await encodeSession((await decodeSession(used)) ?? {});
  }
  vi.setSystemTime(time);
  return used;
}

it("2.1: holds for 12 hours and never holds the password", async () => {
  const token = await useUntil(await encodeSession(buildSessionClaims()), Date.now() + 12 * hour - 60_000);
  const claims = await decodeSession(token);
  expect(claims).toMatchObject({ sub: "administrator", name: "Administrator" });
  expect(JSON.stringify(claims)).not.toContain("open sesame");
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await decodeSession(token)).toBeNull();
});

it("2.1: does not live longer for being sealed again", async () => {
  const token = await useUntil(await encodeSession(buildSessionClaims()), Date.now() + 11 * hour);
  const again = await encodeSession((await decodeSession(token)) ?? {});
  expect(await decodeSession(again)).not.toBeNull();
  vi.setSystemTime(Date.now() + hour + 60_000);
  expect(await decodeSession(again)).toBeNull();
});

it("finding B5: ends when it is left idle, and counts from the last use", async () => {
  const token = await encodeSession(buildSessionClaims());
  const claims = (await decodeSession(token)) ?? {};
  expect(findSessionEnd(claims)).toBe(Math.floor(Date.now() / 1000) * 1000 + 2 * hour);
  vi.setSystemTime(Date.now() + 2 * hour - 60_000);
  expect(isSealOld(claims)).toBe(true);
  const used = await encodeSession((await decodeSession(token)) ?? {});
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await decodeSession(token)).toBeNull();
  expect(await decodeSession(used)).not.toBeNull();
  useSettings({ ...env, SESSION_IDLE_MINUTES: "5" });
  expect(await decodeSession(used)).not.toBeNull();
  vi.setSystemTime(Date.now() + 4 * 60_000);
  expect(await decodeSession(used), "a shorter time holds for sessions that are there").toBeNull();
});

it("finding B5: does not hold after a sign-out, and others do", async () => {
  vi.spyOn(log, "warn").mockReturnValue();
  const [one, other] = [buildSessionClaims(), buildSessionClaims()];
  expect(one.sid).not.toBe(other.sid);
  const [token, copy] = [await encodeSession(one), await encodeSession(one)];
  await endSession((await decodeSession(token)) ?? {});
  expect([await decodeSession(token), await decodeSession(copy)]).toEqual([null, null]);
  expect(await decodeSession(await encodeSession(other))).not.toBeNull();
  vi.restoreAllMocks();
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
