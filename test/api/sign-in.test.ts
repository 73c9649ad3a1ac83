import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as auditRoute from "@/app/api/v1/audit/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as logoutRoute from "@/app/api/v1/logout/route";
import * as meRoute from "@/app/api/v1/me/route";
import { recordFailures } from "@/lib/platform/auth/record-sign-in";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { EndedSessions } from "@/lib/platform/auth/ended-sessions";
import { openTokens, sealTokens } from "@/lib/platform/auth/people/grant";
import { forgetProvider } from "@/lib/platform/auth/people/provider";
import { refreshDueRoles, roleMs } from "@/lib/platform/auth/people/refresh-roles";
import { SignIns, signIns } from "@/lib/platform/auth/people/sign-ins";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { log } from "@/lib/platform/log";
import { EndedSessionModel } from "@/models/ended-session";
import { SignInModel } from "@/models/access/sign-in";
import { withDatabase } from "@/test/support/database";
import { aBrowser, type LoginProcess, ownOrigin, startLoginProcess } from "@/test/support/login";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { withToken } from "@/test/support/tokens";

withDatabase();
let provider: LoginProcess;
beforeAll(async () => {
  provider = await startLoginProcess();
});
afterAll(() => provider.stop());
beforeEach(() => {
  forgetProvider();
  useSettings(provider.env);
  vi.spyOn(log, "warn").mockReturnValue();
});
const groups = { vera: ["policy-viewers"], eddie: ["policy-editors"], ada: ["policy-admins"] };
afterEach(() => provider.change({ claims: null, isDown: false, refusal: null, groups }));

const me = async (headers: Record<string, string>) => {
  const { meta, data } = await readAnswer(await meRoute.GET(aRequest("/api/v1/me", { headers })));
  return { status: meta.code, message: meta.message, ...data };
};
const problemOf = (location: string) => new URL(location, ownOrigin).searchParams.get("problem");

describe("P2, P3: signing in", () => {
  it.each([
    ["vera", "Vera Viewer", "viewer"],
    ["eddie", "Eddie Editor", "editor"],
    ["paula", "Paula Publisher", "publisher"],
    ["ada", "Ada Admin", "admin"],
  ])("%s is known by name, verified, with the greatest of the roles", async (person, name, role) => {
    const browser = aBrowser();
    expect(await browser.signIn(person)).toBe("/about");
    expect(await me(browser.headers())).toMatchObject({ name, is_verified: true, proof: "session", role });
  });

  it("asks for a code with PKCE, state and nonce, and for nothing else", async () => {
    const { searchParams } = new URL(await aBrowser().begin());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ response_type: "code", code_challenge_method: "S256", scope: "openid profile email" },
      redirect_uri: `${ownOrigin}/api/auth/callback/oidc`,
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(searchParams.get(name)?.length).toBeGreaterThan(40);
  });

  it("goes on to pages of this server only", async () => {
    const browser = aBrowser();
    const back = await browser.choose(await browser.begin("//evil.example/"), "vera");
    expect(await browser.finish(back)).toBe("/");
  });

  it("P3: somebody without a role is known by name, and may do nothing", async () => {
    await provider.change({ groups: { vera: ["others"] } });
    const browser = aBrowser();
    await browser.signIn("vera");
    expect(await me(browser.headers())).toMatchObject({
      status: 403,
      message: "This needs the role viewer; Vera Viewer has no role on this server",
    });
    const [signIn] = await SignInModel.find({ name: "Vera Viewer", role: null }).lean();
    expect(signIn?.roleProblem).toBe("OIDC_ROLES has none of the groups (1) in the claim groups");
  });

  it("P4: stores the provider's tokens sealed only", async () => {
    await SignInModel.deleteMany({});
    await aBrowser().signIn("vera");
    const [record] = await SignInModel.find({}).lean();
    expect(record?.sealed.split(".")).toHaveLength(5);
    expect(record?.sealed.startsWith(Buffer.from('{"alg":"dir"').toString("base64url").slice(0, 10))).toBe(true);
    expect(record?.person).toContain("|vera");
  });
});

describe("W6: a provider and a proxy at once", () => {
  const both = () => ({
    ...provider.env,
    ...{ TRUST_PROXY_ADDRESSES: "192.0.2.1", AUTH_USER_HEADER: "remote-user", AUTH_ROLES_HEADER: "remote-groups" },
    AUTH_USER_ID_CLAIM: "preferred_username",
  });
  beforeEach(() => {
    useSettings(both());
    believeClientHeaders();
  });
  afterEach(() => believeClientHeaders(false));
  const idOf = async (headers: Record<string, string>) => (await findPrincipal(new Headers(headers)))?.id;

  it("whoever comes by both ways is one person", async () => {
    await provider.change({ claims: { preferred_username: "Ada@example.com" } });
    const browser = aBrowser();
    expect(await browser.signIn("ada")).toBe("/about");
    expect(await idOf(browser.headers())).toBe("proxy|ada@example.com");
    expect(await idOf({ "remote-user": "ada@example.com", "remote-groups": "x" })).toBe("proxy|ada@example.com");
  });

  it.each([{}, { preferred_username: 7 }, { preferred_username: "a,b" }, { preferred_username: "A\u00adda" }])(
    "whom the proxy could not name does not sign in: %j",
    async (claims) => {
      await provider.change({ claims });
      expect(problemOf(await aBrowser().signIn("ada"))).toBe("refused");
    },
  );

  it("without a proxy the id is issuer and subject", async () => {
    useSettings(provider.env);
    const browser = aBrowser();
    await browser.signIn("vera");
    expect(await idOf(browser.headers())).toBe(`oidc|${provider.env.OIDC_ISSUER}|vera`);
  });
});

describe("P2: what does not hold is refused", () => {
  const failed = async (claims: Record<string, unknown>) => {
    await provider.change({ claims });
    const browser = aBrowser();
    const problem = problemOf(await browser.signIn("ada"));
    expect((await me(browser.headers())).status).toBe(401);
    return problem;
  };

  it("a state of another sign-in", async () => {
    const browser = aBrowser();
    const back = new URL(await browser.choose(await browser.begin(), "ada"));
    back.searchParams.set("state", "made up");
    expect(problemOf(await browser.finish(back.href))).toBe("stale");
  });

  it("a sign-in that another browser has begun", async () => {
    const browser = aBrowser();
    expect(problemOf(await aBrowser().finish(await browser.choose(await browser.begin(), "ada")))).toBe("stale");
  });

  it("a code that is used again, also with the cookie that the browser had", async () => {
    const browser = aBrowser();
    const back = await browser.choose(await browser.begin(), "ada");
    const before = browser.cookie();
    expect(await browser.finish(back)).toBe("/about");
    expect(problemOf(await browser.finish(back))).toBe("stale");
    expect(problemOf(await aBrowser().finish(back, before))).toBe("refused");
  });

  it.each([
    ["an expired ID token", { iat: -7200, exp: -3600 }],
    ["one that was made an hour from now", { iat: 3600, exp: 7200 }],
    ["an ID token for another client", { aud: "another-client" }],
    ["an ID token of another issuer", { iss: "https://evil.example" }],
    ["an ID token with another nonce", { nonce: "another" }],
  ])("%s", async (_, claims) => expect(await failed(claims)).toBe("refused"));

  it.each([
    { iat: 290, exp: 3890 },
    { iat: -3890, exp: -290 },
  ])("but clocks may differ by 5 minutes: %j", async (claims) => {
    await provider.change({ claims });
    expect(await aBrowser().signIn("ada")).toBe("/about");
  });

  it("keys that were rotated are fetched again", async () => {
    expect(await aBrowser().signIn("ada")).toBe("/about");
    await provider.change({ rotate: true });
    // Keys are fetched once a minute at most, so that made-up tokens cause no flood.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect(await aBrowser().signIn("ada")).toBe("/about");
    vi.useRealTimers();
  });
});

it("P5: the provider is down: people with a session go on, tokens as well, new sign-ins are told so", async () => {
  const browser = aBrowser();
  await browser.signIn("eddie");
  await provider.change({ isDown: true });
  forgetProvider();
  expect(problemOf(await aBrowser().begin())).toBe("provider-down");
  expect(await me(browser.headers())).toMatchObject({ status: 200, role: "editor" });
  expect(await me(withToken("viewer"))).toMatchObject({ status: 200, role: "viewer" });
  await refreshDueRoles(new Date(Date.now() + roleMs + 1000));
  expect(await me(browser.headers())).toMatchObject({ status: 200, role: "editor" });
});

it("P5: what the provider said of itself a minute ago sends nobody to a page that does not come", async () => {
  await aBrowser().signIn("eddie");
  await provider.change({ isDown: true });
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  expect(problemOf(await aBrowser().begin())).toBe("provider-down");
  vi.useRealTimers();
});

describe("P4: roles are taken again, and sessions end", () => {
  it("a role that was taken away is gone after 15 minutes, on every instance", async () => {
    const browser = aBrowser();
    await browser.signIn("ada");
    await provider.change({ groups: { ada: ["policy-viewers"] } });
    await refreshDueRoles(new Date(Date.now() + roleMs - 60_000));
    expect((await me(browser.headers())).role).toBe("admin");
    await refreshDueRoles(new Date(Date.now() + roleMs + 1000));
    expect((await me(browser.headers())).role).toBe("viewer");
    const there = new SignIns();
    await there.refresh();
    expect(there.list().find(({ name, role }) => name === "Ada Admin" && role === "viewer")).toBeDefined();
    await provider.change({ groups: { ada: [] } });
    await refreshDueRoles(new Date(Date.now() + 2 * roleMs + 2000));
    expect((await me(browser.headers())).status).toBe(403);
  });

  const minute = 60_000;
  const longest = 15 * minute;

  it("finding A7: a session ends when the provider answers about another person", async () => {
    const browser = aBrowser();
    await browser.signIn("vera");
    await provider.change({ claims: { sub: "ada" }, groups: { vera: ["policy-admins"] } });
    await refreshDueRoles(new Date(Date.now() + roleMs + 1000));
    expect((await me(browser.headers())).status).toBe(401);
    expect(log.warn).toHaveBeenCalledWith(expect.stringContaining("another person"));
  });

  it("finding A7: so it does when the user info is another person's, where the groups come from there", async () => {
    // The ID token of the sign-in names no groups.
    await provider.change({ claims: { groups: null } });
    const browser = aBrowser();
    await browser.signIn("vera");
    expect((await me(browser.headers())).role).toBe("viewer");
    const id = signIns().list().at(-1)?.id ?? "";
    const { sealed } = (await SignInModel.findOne({ _id: id }).lean()) ?? { sealed: "" };
    const other = aBrowser();
    await other.signIn("ada");
    const otherRecord = await SignInModel.findOne({ _id: signIns().list().at(-1)?.id ?? "" }).lean();
    const { access_token } = await openTokens(otherRecord?.sealed ?? "");
    const { id_token } = await openTokens(sealed);
    await SignInModel.updateOne(
      { _id: id },
      { $set: { sealed: await sealTokens({ ...(id_token && { id_token }), ...(access_token && { access_token }) }) } },
    );
    await refreshDueRoles(new Date(Date.now() + roleMs + 1000));
    expect((await me(browser.headers())).status).toBe(401);
    expect((await me(other.headers())).role).toBe("admin");
  });

  it.each([
    [400, "invalid_request"],
    [400, "unauthorized_client"],
    [401, "invalid_client"],
    [403, "access_denied"],
    [200, "what is no answer"],
  ])("finding A7: a refresh that is refused by %i %s ends the session within 15 minutes", async (status, error) => {
    const browser = aBrowser();
    await browser.signIn("ada");
    const at = Date.now();
    await provider.change({ refusal: { path: "/token", status, error } });
    await refreshDueRoles(new Date(at + roleMs + 1000));
    // It may have been wrong, and there is time to ask again.
    expect((await me(browser.headers())).role).toBe("admin");
    // Asked more often than once a minute, as the server does it: what took a moment is due a moment later.
    for (let time = at + roleMs; time < at + longest; time += minute / 4) await refreshDueRoles(new Date(time + 1000));
    expect((await me(browser.headers())).status).toBe(401);
  });

  it.each([
    [503, "unavailable"],
    [429, "slow_down"],
    [400, "temporarily_unavailable"],
  ])("P5: one that fails by %i %s does not: the provider is busy", async (status, error) => {
    const browser = aBrowser();
    await browser.signIn("ada");
    await provider.change({ refusal: { path: "/token", status, error } });
    for (let time = roleMs; time < 2 * longest; time += minute)
      await refreshDueRoles(new Date(Date.now() + time + 1000));
    expect((await me(browser.headers())).role).toBe("admin");
    await provider.change({ refusal: null, groups: { ada: ["policy-viewers"] } });
    await refreshDueRoles(new Date(Date.now() + 2 * longest + 2 * minute));
    expect((await me(browser.headers())).role).toBe("viewer");
  });

  it("another instance knows a session at once, and no more after a sign-out", async () => {
    const browser = aBrowser();
    await browser.signIn("vera");
    const id = signIns().list().at(-1)?.id ?? "";
    const [there, ended] = [new SignIns(), new EndedSessions()];
    expect((await there.find(id))?.name).toBe("Vera Viewer");
    const request = aRequest("/api/v1/logout", { method: "POST", headers: browser.headers() });
    const { data } = await readAnswer(await logoutRoute.POST(request));
    const next = new URL(data.continue_at);
    expect(next.origin).toBe(new URL(provider.env.OIDC_ISSUER ?? "").origin);
    expect(next.searchParams.get("post_logout_redirect_uri")).toBe(`${ownOrigin}/login`);
    expect(next.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3);
    expect((await fetch(next)).status).toBe(200);
    expect((await me(browser.headers())).status).toBe(401);
    await Promise.all([there.refresh(), ended.refresh()]);
    expect([await there.find(id), ended.has(id)]).toEqual([null, true]);
    expect(await EndedSessionModel.countDocuments({ _id: id })).toBe(1);
  });

  it("a session ends when SESSION_SECRET changes, and when people sign in otherwise", async () => {
    const browser = aBrowser();
    await browser.signIn("vera");
    expect((await me(browser.headers())).status).toBe(200);
    useSettings({ ...provider.env, SESSION_SECRET: "f".repeat(32) });
    expect((await me(browser.headers())).status).toBe(401);
    useSettings({ ...provider.env, AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
    expect((await me(browser.headers())).status).toBe(401);
  });
});

describe("P2: the password beside it is for emergencies", () => {
  const password = { "BASIC-AUTH-PASSWORD": "open sesame" };
  const listActions = async () => {
    const { data } = await readAnswer(
      await auditRoute.GET(aRequest("/api/v1/audit", { headers: withToken("viewer") })),
    );
    return data.events.map(({ action }: { action: string }) => action);
  };

  it("opens nothing where it is not set", async () => expect((await me(password)).status).toBe(401));

  it("is an administrator's, warned of once a day, and each use is an event", async () => {
    useSettings({ ...provider.env, BASIC_AUTH_PASSWORD: "open sesame" });
    const login = await loginRoute.POST(aRequest("/api/v1/login", { body: { password: "open sesame" } }));
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(await me({ cookie })).toMatchObject({ role: "admin", is_verified: false });
    expect(await me(password)).toMatchObject({ role: "admin", proof: "header" });
    expect((await listActions()).filter((action: string) => action === "login.break-glass")).toHaveLength(2);
    const warned = vi.mocked(log.warn).mock.calls.filter(([one]) => String(one).startsWith("BASIC_AUTH_PASSWORD was"));
    expect(warned).toHaveLength(1);
  });
});

it("P13: sign-ins and those that fail are events, without the name of who failed", async () => {
  await aBrowser().signIn("paula");
  await aBrowser().finish(`${ownOrigin}/api/auth/callback/oidc?code=a&state=b`);
  const list = async (action: string) => {
    const { data } = await readAnswer(
      await auditRoute.GET(aRequest("/api/v1/audit", { headers: withToken("viewer") })),
    );
    return data.events.filter((event: { action: string }) => event.action === action);
  };
  const paula = { display_name: "Paula Publisher", display_name_verified: true, actor: "publisher" };
  expect((await list("login.succeed"))[0]).toMatchObject(paula);
  await recordFailures(Infinity);
  expect((await list("login.fail"))[0]).toMatchObject({
    display_name: null,
    actor: "public",
    after: { proofs: expect.arrayContaining(["provider"]) },
  });
});
