import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as meRoute from "@/app/api/v1/me/route";
import { forgetProvider, replaceCallLimits } from "@/lib/platform/auth/people/provider";
import { refreshDueRoles, roleMs } from "@/lib/platform/auth/people/refresh-roles";
import { log } from "@/lib/platform/log";
import { SignInModel } from "@/models/access/sign-in";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { withDatabase } from "@/test/support/database";
import { aBrowser, type LoginProcess, ownOrigin, startLoginProcess } from "@/test/support/login";
import { hangMs } from "@/test/support/patience.mjs";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

/* Finding A4. The deadline is shortened: that calls end by it is tested, not how long they take. */

withDatabase();
let provider: LoginProcess;
beforeAll(async () => {
  provider = await startLoginProcess();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  forgetProvider();
  replaceCallLimits({ deadlineMs: 500 });
  useSettings(provider.env);
  vi.spyOn(log, "warn").mockReturnValue();
  for (const { id } of signIns().list()) await signIns().remove(id);
  await SignInModel.deleteMany({});
});
const groups = { vera: ["policy-viewers"], eddie: ["policy-editors"], ada: ["policy-admins"] };
afterEach(async () => {
  replaceCallLimits(null);
  await provider.change({ claims: null, hostile: null, groups });
});

const paths = {
  discovery: "/.well-known/openid-configuration",
  token: "/token",
  keys: "/jwks",
  "user info": "/me",
};
const hows = ["stalled", "endless", "huge"] as const;
const cases = Object.entries(paths).flatMap(([what, path]) => hows.map((how) => ({ what, path, how })));
const beHostile = (path: string, how: (typeof hows)[number], times = 1) =>
  provider.change({ hostile: { path, how, times } });
const problemOf = (location: string) => new URL(location, ownOrigin).searchParams.get("problem");
const roleOf = async (browser: ReturnType<typeof aBrowser>) => {
  const answer = await readAnswer(await meRoute.GET(aRequest("/api/v1/me", { headers: browser.headers() })));
  return answer.data.role ?? answer.meta.code;
};
const fromUserInfo = { groups: null };

describe("signing in", () => {
  it.each(cases)("tells that the provider is down when the answer of $what is $how, and then works", async (one) => {
    if (one.path === "/me") await provider.change({ claims: fromUserInfo });
    await beHostile(one.path, one.how);
    const browser = aBrowser();
    const address = await browser.begin();
    const problem = address.startsWith(provider.env.OIDC_ISSUER ?? "")
      ? problemOf(await browser.finish(await browser.choose(address, "ada")))
      : problemOf(address);
    expect(problem).toBe("provider-down");
    // Nothing near 200 MB was taken: buffers of the system on both sides, and 1 MiB.
    expect((await provider.change({})).sent).toBeLessThan(32 * 1024 * 1024);
    replaceCallLimits(null);
    expect(await aBrowser().signIn("ada")).toBe("/about");
  });

  it.each(["http", "https"])("tells so as well when a connection by %s is taken and nothing comes", async (scheme) => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const sockets = new Set<Socket>();
    silent.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)));
    const { port } = silent.address() as AddressInfo;
    useSettings({ ...provider.env, OIDC_ISSUER: `${scheme}://127.0.0.1:${port}` });
    expect(problemOf(await aBrowser().begin())).toBe("provider-down");
    expect(sockets.size).toBe(1);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it("does not wait for a description that stalled before somebody came", async () => {
    replaceCallLimits({ deadlineMs: 60_000 });
    await beHostile(paths.discovery, "stalled");
    let isOver = false;
    const stalled = aBrowser().begin();
    void stalled.then(() => (isOver = true));
    await expect.poll(() => provider.change({})).toMatchObject({ left: 0 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2000 });
    expect(await aBrowser().signIn("ada")).toBe("/about");
    vi.useRealTimers();
    expect(isOver).toBe(false);
    await provider.stop();
    expect(problemOf(await stalled)).toBe("provider-down");
    provider = await startLoginProcess();
  });
});

describe("taking roles again", () => {
  it.each(hows.flatMap((how) => [paths.token, paths.discovery, paths.keys].map((path) => ({ how, path }))))(
    "one $how answer of $path keeps nobody in a role for more than 15 minutes",
    async ({ how, path }) => {
      const [ada, eddie] = [aBrowser(), aBrowser()];
      replaceCallLimits(null);
      await ada.signIn("ada");
      await eddie.signIn("eddie");
      await provider.change({ groups: { ada: ["policy-viewers"], eddie: ["policy-viewers"] } });
      if (path !== paths.token) forgetProvider();
      await beHostile(path, how);
      // Long enough for the other one's answer on a slow machine: a good answer that is cut ends a session.
      replaceCallLimits({ deadlineMs: hangMs(5) });
      const at = Date.now() + roleMs + 1000;
      await refreshDueRoles(new Date(at));
      replaceCallLimits(null);
      // A minute after the first try of each of them, which comes a little later than `at`.
      await refreshDueRoles(new Date(at + 70_000));
      expect(at + 70_000 - Date.now()).toBeLessThan(15 * 60_000);
      expect([await roleOf(ada), await roleOf(eddie)]).toEqual(["viewer", "viewer"]);
    },
  );

  it("people whose answers stall do not hold up those of others", async () => {
    const stalled = 5;
    const browsers = Array.from({ length: stalled + 1 }, () => aBrowser());
    for (const browser of browsers) await browser.signIn("ada");
    await provider.change({ groups: { ada: ["policy-viewers"] } });
    replaceCallLimits({ deadlineMs: 60_000 });
    await beHostile(paths.token, "stalled", stalled);
    const refreshed = refreshDueRoles(new Date(Date.now() + roleMs + 1000));
    const roles = async () => Promise.all(browsers.map(roleOf));
    await expect.poll(async () => (await roles()).filter((role) => role === "viewer")).toHaveLength(1);
    await provider.stop();
    await refreshed;
    provider = await startLoginProcess();
  });
});
