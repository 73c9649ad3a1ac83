import { beforeEach, describe, expect, it } from "vitest";
import * as auditRoute from "@/app/api/v1/audit/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as meRoute from "@/app/api/v1/me/route";
import * as tokenRoute from "@/app/api/v1/tokens/[id]/route";
import * as tokensRoute from "@/app/api/v1/tokens/route";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { AccessTokens, accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { makeToken } from "@/lib/platform/auth/tokens/commands";
import { AccessTokenModel } from "@/models/access/access-token";
import { withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { peopleSettings, withSession } from "@/test/support/sessions";
import { useSettings } from "@/test/support/settings";

/* API tokens (`people.md` section 3). Who may what with them: test/unit/platform/auth/roles.test.ts. */

withDatabase();
const admin = { "BASIC-AUTH-PASSWORD": "open sesame" };
const dayMs = 86_400_000;
beforeEach(async () => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: "0123456789abcdef".repeat(2) });
  await AccessTokenModel.deleteMany({});
  await accessTokens().refresh();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const make = async (body: Record<string, unknown>, headers: Record<string, string> = admin) =>
  readAnswer(await tokensRoute.POST(aRequest("/api/v1/tokens", { body, headers })));
const list = async () =>
  (await readAnswer(await tokensRoute.GET(aRequest("/api/v1/tokens", { headers: admin })))).data.tokens;
const revoke = async (id: unknown) =>
  tokenRoute.DELETE(aRequest(`/api/v1/tokens/${String(id)}`, { method: "DELETE", headers: admin }), {
    params: Promise.resolve({ id: String(id) }),
  });
const statusOf = async (token: string) =>
  (await meRoute.GET(aRequest("/api/v1/me", { headers: bearer(token) }))).status;
const listEvents = async (action: string, id: number) => {
  const { data } = await readAnswer(await auditRoute.GET(aRequest("/api/v1/audit", { headers: admin })));
  return data.events.filter(
    (event: Record<string, unknown>) => event.action === action && event.target === `token:${id}`,
  );
};

it("P10: a token is shown once, and only the SHA-256 of its secret is stored", async () => {
  const { data } = await make({ name: "Pipeline", role: "publisher" });
  expect(data.token).toMatch(/^ops_[0-9a-f]{8}_[\w-]{43}$/);
  expect(Date.parse(data.expires_at) - Date.now()).toBeGreaterThan(89.9 * dayMs);
  const stored = JSON.stringify(await AccessTokenModel.find({}).lean());
  const secret = data.token.slice(13);
  expect(stored).not.toContain(secret);
  const listed = await list();
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect(listed).toMatchObject([{ id: data.id, name: "Pipeline", role: "publisher", is_expired: false }]);
  expect(listed[0]).not.toHaveProperty("hash");
  const [event] = await listEvents("token.make", data.id);
  expect(JSON.stringify(event)).not.toContain(secret);
  expect(event).toMatchObject({ target: `token:${data.id}`, after: { name: "Pipeline", role: "publisher" } });
});

it("P10: it ends when it was made to, at most after a year, or never", async () => {
  const short = await make({ name: "Short", role: "viewer", expires_in_days: 1 });
  const endless = await make({ name: "Endless", role: "viewer", expires_in_days: null });
  expect(endless.data.expires_at).toBeNull();
  const tomorrow = new Date(Date.now() + dayMs + 1000);
  const end = Date.parse(short.data.expires_at);
  expect(accessTokens().find(short.data.token, new Date(end - 1))).not.toBeNull();
  expect(accessTokens().find(short.data.token, new Date(end))).toBeNull();
  expect(accessTokens().find(short.data.token)).not.toBeNull();
  expect(accessTokens().find(short.data.token, tomorrow)).toBeNull();
  expect(accessTokens().find(endless.data.token, new Date(Date.now() + 10_000 * dayMs))).not.toBeNull();
  for (const days of [0, 366, 1.5, "30"]) {
    const { meta } = await make({ name: "Wrong", role: "viewer", expires_in_days: days });
    expect([meta.code, meta.message]).toEqual([400, expect.stringContaining("expires_in_days")]);
  }
});

it("P10: names are those of one program each, and roles those that there are", async () => {
  await make({ name: "Pipeline", role: "viewer" });
  expect((await make({ name: " Pipeline ", role: "viewer" })).meta).toMatchObject({ code: 400 });
  expect((await make({ name: "Other", role: "root" })).meta.message).toContain("role must be one of: viewer");
  expect((await make({ name: "a\u202eb", role: "viewer" })).meta.message).toContain("name");
  expect((await make({ name: "a".repeat(longestDisplayName + 1), role: "viewer" })).meta.code).toBe(400);
  expect((await make({ name: " ", role: "viewer" })).meta.code).toBe(400);
  expect(await list()).toHaveLength(1);
});

it("P11: a revoked token is refused here at once, and elsewhere with the next look", async () => {
  const { data } = await make({ name: "Pipeline", role: "viewer" });
  const there = new AccessTokens();
  await there.refresh();
  expect(there.find(data.token)).not.toBeNull();
  expect(await statusOf(data.token)).toBe(200);
  expect((await revoke(data.id)).status).toBe(200);
  expect(await statusOf(data.token)).toBe(401);
  await there.refresh();
  expect(there.find(data.token)).toBeNull();
  expect((await revoke(data.id)).status).toBe(404);
  expect((await revoke("x")).status).toBe(400);
  expect(await listEvents("token.revoke", data.id)).toMatchObject([{ before: { name: "Pipeline", role: "viewer" } }]);
});

it("P11: a look that began before a revocation does not bring the token back", async () => {
  const { data } = await make({ name: "Pipeline", role: "viewer" });
  const looking = accessTokens().refresh();
  accessTokens().remove(data.id);
  await looking;
  expect(accessTokens().find(data.token)).toBeNull();
});

it("P10, P13: notes the hour of its use, and its first use in the activity list", async () => {
  const { data } = await make({ name: "Pipeline", role: "viewer" });
  expect(await listEvents("token.use", data.id)).toEqual([]);
  for (let count = 0; count < 3; count += 1) await statusOf(data.token);
  expect((await list())[0]?.last_used_ts).toMatch(/:00:00\.000Z$/);
  expect(await listEvents("token.use", data.id)).toHaveLength(1);
  const there = new AccessTokens();
  await there.refresh();
  there.find(data.token, new Date(Date.now() + 3_600_000));
  const later = new Date(Math.floor(Date.now() / 3_600_000 + 1) * 3_600_000).toISOString();
  await expect.poll(async () => (await list())[0]?.last_used_ts).toBe(later);
  expect(await listEvents("token.use", data.id)).toMatchObject([
    { display_name: "Pipeline", display_name_verified: true, target: `token:${data.id}`, actor: "viewer" },
  ]);
});

it("P10: a token may do at most what its maker may", async () => {
  const body = { name: "Child", role: "publisher", expires_in_days: 1 } as const;
  const maker = { id: "proxy|ada", name: "Ada", isVerified: true, proof: "proxy", role: "editor" } as const;
  const making = makeToken(body, maker, { actor: "editor", route: "test", requestId: null });
  await expect(making).rejects.toMatchObject({ status: 403, message: expect.stringContaining("role publisher") });
});

it("W6: tokens make no tokens, whatever their role", async () => {
  const { data } = await make({ name: "Maker", role: "admin" });
  expect(await make({ name: "Child", role: "viewer" }, bearer(data.token))).toMatchObject({
    meta: { code: 403, message: "A token cannot create tokens: sign in to create one" },
  });
  expect(await list()).toHaveLength(1);
  const revoking = aRequest(`/api/v1/tokens/${data.id}`, { method: "DELETE", headers: bearer(data.token) });
  const { status } = await tokenRoute.DELETE(revoking, { params: Promise.resolve({ id: String(data.id) }) });
  expect(status).toBe(200);
});

describe("W6: the emergency password creates no tokens", () => {
  const proxy = { TRUST_PROXY_ADDRESSES: "192.0.2.1", AUTH_USER_HEADER: "remote-user" };
  const roles = { AUTH_ROLES_HEADER: "remote-groups", OIDC_ROLES: "admin=admin" };
  const basic = {
    AUTH_TYPE: "basic",
    BASIC_AUTH_PASSWORD: "open sesame",
    SESSION_SECRET: "0123456789abcdef".repeat(2),
  };
  const signIn = async () => {
    const answer = await loginRoute.POST(aRequest("/api/v1/login", { body: { password: "open sesame" } }));
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { cookie, host: "localhost:3000", origin: "http://localhost:3000" };
  };

  it.each([
    ["beside an identity provider", { ...peopleSettings, BASIC_AUTH_PASSWORD: "open sesame" }],
    ["beside a proxy that names people with groups", { ...basic, ...proxy, ...roles }],
  ])("%s: neither in a header nor by a session", async (_, env) => {
    useSettings(env);
    const refused = {
      meta: { code: 403, message: expect.stringContaining("emergency password cannot create tokens") },
    };
    expect(await make({ name: "A", role: "viewer" })).toMatchObject(refused);
    expect(await make({ name: "A", role: "viewer" }, await signIn())).toMatchObject(refused);
    expect(await AccessTokenModel.countDocuments({})).toBe(0);
  });

  it("where people sign in by it, it does", async () => {
    expect((await make({ name: "A", role: "viewer" })).meta.code).toBe(200);
    expect((await make({ name: "B", role: "viewer" }, await signIn())).meta.code).toBe(200);
    useSettings({ ...basic, ...proxy });
    expect((await make({ name: "C", role: "viewer" })).meta.code).toBe(200);
  });

  it("people do under their own names, and their tokens carry who they are", async () => {
    useSettings(peopleSettings);
    expect((await make({ name: "A", role: "viewer" }, await withSession("admin"))).meta.code).toBe(200);
    expect((await AccessTokenModel.findOne({}).lean())?.makerId).toMatch(/^oidc\|https:\/\/id\.example\|./);
  });
});
