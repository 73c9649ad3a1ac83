import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as backChannelRoute from "@/app/api/auth/backchannel-logout/route";
import * as auditRoute from "@/app/api/v1/audit/route";
import * as meRoute from "@/app/api/v1/me/route";
import * as sessionRoute from "@/app/api/v1/sessions/[id]/route";
import * as sessionsRoute from "@/app/api/v1/sessions/route";
import { SignIns, signIns } from "@/lib/platform/auth/people/sign-ins";
import { SignInModel } from "@/models/access/sign-in";
import { withDatabase } from "@/test/support/database";
import { aBrowser, type LoginProcess, ownOrigin, startLoginProcess } from "@/test/support/login";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

/* Sessions of people whom the identity provider has named (`people.md` P4a, P4b), with a real provider. */

withDatabase();
let provider: LoginProcess;
beforeAll(async () => {
  provider = await startLoginProcess();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  useSettings(provider.env);
  await SignInModel.deleteMany({});
  await signIns().refresh();
});

type Browser = ReturnType<typeof aBrowser>;
async function signedIn(person: string): Promise<Browser> {
  const browser = aBrowser();
  await browser.signIn(person);
  return browser;
}
const roleOf = async (browser: Browser) => {
  const { data, meta } = await readAnswer(await meRoute.GET(aRequest("/api/v1/me", { headers: browser.headers() })));
  return data.role ?? meta.code;
};
const list = async (browser: Browser, query = "") =>
  readAnswer(await sessionsRoute.GET(aRequest(`/api/v1/sessions${query}`, { headers: browser.headers() })));
const end = async (browser: Browser, id: string) => {
  const request = aRequest(`/api/v1/sessions/${id}`, { method: "DELETE", headers: browser.headers() });
  return (await sessionRoute.DELETE(request, { params: Promise.resolve({ id }) })).status;
};
const events = async (browser: Browser) => {
  const { data } = await readAnswer(await auditRoute.GET(aRequest("/api/v1/audit", { headers: browser.headers() })));
  return data.events.filter(({ action }: { action: string }) => action === "session.end");
};

describe("P4a: one's sessions", () => {
  it("are listed for oneself, the one in use marked; everybody's for administrators", async () => {
    const [vera, there, ada] = [await signedIn("vera"), await signedIn("vera"), await signedIn("ada")];
    const { data } = await list(vera);
    expect(data.sessions).toHaveLength(2);
    expect(data.sessions).toMatchObject([{ name: "Vera Viewer" }, { name: "Vera Viewer" }]);
    expect(data.sessions.filter((one: { is_current: boolean }) => one.is_current)).toHaveLength(1);
    const [{ begun_ts: begun, ends_ts: ends }] = data.sessions;
    expect(Date.parse(ends) - Date.parse(begun)).toBe(12 * 3_600_000);
    expect(JSON.stringify(data)).not.toContain("sealed");
    expect((await list(vera, "?all=true")).meta).toMatchObject({ code: 403, message: expect.stringMatching(/admin/) });
    expect((await list(ada, "?all=true")).data.sessions).toHaveLength(3);
    expect((await list(there)).data.sessions).toHaveLength(2);
  });

  it("are ended by oneself, and by administrators; everywhere within a look", async () => {
    const [vera, there, eddie, ada] = [
      await signedIn("vera"),
      await signedIn("vera"),
      await signedIn("eddie"),
      await signedIn("ada"),
    ];
    const [other] = (await list(vera)).data.sessions.filter((one: { is_current: boolean }) => !one.is_current);
    expect(await end(eddie, other.id)).toBe(404);
    expect(await end(vera, "unknown")).toBe(404);
    const elsewhere = new SignIns();
    await elsewhere.refresh();
    expect(await end(vera, other.id)).toBe(200);
    expect([await roleOf(there), await roleOf(vera)]).toEqual([401, "viewer"]);
    await elsewhere.refresh();
    expect(await elsewhere.find(other.id)).toBeNull();
    const [ofEddie] = (await list(eddie)).data.sessions;
    expect(await end(ada, ofEddie.id)).toBe(200);
    expect(await roleOf(eddie)).toBe(401);
    expect(await events(ada)).toMatchObject([
      { display_name: "Ada Admin", before: { name: "Eddie Editor" } },
      { display_name: "Vera Viewer", before: { name: "Vera Viewer" } },
    ]);
  });

  it("are all ended at once by oneself but the one in use, and nobody else's", async () => {
    const [vera, there, ada] = [await signedIn("vera"), await signedIn("vera"), await signedIn("ada")];
    const request = aRequest("/api/v1/sessions", { method: "DELETE", headers: vera.headers() });
    expect((await readAnswer(await sessionsRoute.DELETE(request))).data).toEqual({ session_count: 1 });
    expect([await roleOf(vera), await roleOf(there), await roleOf(ada)]).toEqual(["viewer", 401, "admin"]);
    const [event] = await events(ada);
    expect(event).toMatchObject({ display_name: "Vera Viewer", before: { name: "Vera Viewer" } });
  });
});

describe("P4b: the provider ends sessions", () => {
  const send = async (body: object) =>
    readAnswer(
      await backChannelRoute.POST(
        aRequest("/api/auth/backchannel-logout", { body, headers: { host: "localhost:3000" } }),
      ),
    );
  const sendToken = async (claims: Record<string, unknown>) =>
    send({ logout_token: await provider.makeLogoutToken(claims) });

  it("all of a person, and nobody else's", async () => {
    const [vera, there, ada] = [await signedIn("vera"), await signedIn("vera"), await signedIn("ada")];
    expect((await sendToken({ sub: "vera" })).meta.code).toBe(200);
    expect([await roleOf(vera), await roleOf(there), await roleOf(ada)]).toEqual([401, 401, "admin"]);
    expect((await events(ada)).slice(0, 2)).toMatchObject([{ actor: "provider" }, { actor: "provider" }]);
  });

  it("the one that it names, as a form, too", async () => {
    const [vera, there] = [await signedIn("vera"), await signedIn("vera")];
    const [first] = await SignInModel.find({}).sort({ endsAt: 1 });
    await SignInModel.updateOne({ _id: first?._id ?? "" }, { $set: { providerSession: "session-7" } });
    const request = new Request(`${ownOrigin}/api/auth/backchannel-logout`, {
      method: "POST",
      headers: { host: "localhost:3000", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: await provider.makeLogoutToken({ sub: "vera", sid: "session-7" }) }),
    });
    const answer = await backChannelRoute.POST(request);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect([await roleOf(vera), await roleOf(there)]).toEqual([401, "viewer"]);
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each([
    ["another audience", () => ({ aud: "somebody-else" })],
    ["another issuer", () => ({ iss: "https://id.example" })],
    ["a nonce", () => ({ nonce: "1" })],
    ["no event", () => ({ events: {} })],
    ["events that are none", () => ({ events: "logout" })],
    ["an old time", () => ({ iat: now() - 301, exp: now() + 60 })],
    ["a time to come", () => ({ iat: now() + 301, exp: now() + 400 })],
    ["a time that is none", () => ({ iat: "now" })],
    ["an end that is over", () => ({ exp: now() - 301 })],
    ["no id", () => ({ jti: undefined })],
    ["nobody", () => ({ sub: undefined })],
  ])("not with %s in the token", async (_, claims) => {
    const vera = await signedIn("vera");
    expect((await sendToken({ sub: "vera", ...claims() })).meta).toMatchObject({
      code: 400,
      message: expect.stringContaining("logout_token is invalid"),
    });
    expect(await roleOf(vera)).toBe("viewer");
  });

  it("not with a wrong signature, by a token that was used, or by what is none", async () => {
    const token = await provider.makeLogoutToken({ sub: "vera" });
    const vera = await signedIn("vera");
    const [head, payload = "", signature = ""] = token.split(".");
    const other = `${signature.slice(0, 10)}${signature[10] === "A" ? "B" : "A"}${signature.slice(11)}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const wrong of [`${head}.${payload}.${other}`, unsigned, "", "a.b.c", "x".repeat(16_384)]) {
      expect((await send({ logout_token: wrong })).meta.code).toBe(400);
    }
    for (const body of [{}, { logout_token: null }, { logout_token: ["a"] }, { logout_token: "x".repeat(16_385) }]) {
      expect((await send(body)).meta.code).toBe(400);
    }
    expect(await roleOf(vera)).toBe("viewer");
    expect((await send({ logout_token: token })).meta.code).toBe(200);
    const again = await signedIn("vera");
    expect((await send({ logout_token: token })).meta).toMatchObject({ code: 400 });
    expect(await roleOf(again)).toBe("viewer");
  });

  it("503 while the provider is down, so that it tries again; nowhere else than with AUTH_TYPE=oidc", async () => {
    const token = await provider.makeLogoutToken({ sub: "vera" });
    useSettings({ ...provider.env, OIDC_ISSUER: "http://127.0.0.1:9" });
    expect((await send({ logout_token: token })).meta.code).toBe(503);
    useSettings({
      AUTH_TYPE: "basic",
      BASIC_AUTH_PASSWORD: "open sesame",
      SESSION_SECRET: "0123456789abcdef".repeat(2),
    });
    expect((await send({ logout_token: token })).meta.code).toBe(404);
  });
});
