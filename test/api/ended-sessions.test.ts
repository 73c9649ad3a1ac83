import mongoose from "mongoose";
import { beforeEach, expect, it, vi } from "vitest";
import * as aboutRoute from "@/app/api/v1/about/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as logoutRoute from "@/app/api/v1/logout/route";
import * as sessionRoute from "@/app/api/v1/ui/session/route";
import { EndedSessions } from "@/lib/platform/auth/ended-sessions";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { EndedSessionModel } from "@/models/ended-session";
import { databaseUri, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

/* What a sign-out leaves behind (`api.md` 2.1). Two processes on one database: test/server/sign-out.test.ts. */

withDatabase();
const password = "open sesame";
const headers = { host: "policy.lan:3000", origin: "http://policy.lan:3000" };
const hour = 60 * 60 * 1000;

beforeEach(() => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, SESSION_SECRET: "0123456789abcdef".repeat(2) });
});

const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
const login = async () => cookieOf(await loginRoute.POST(aRequest("/api/v1/login", { body: { password }, headers })));
const logout = (cookie: string) =>
  logoutRoute.POST(aRequest("/api/v1/logout", { method: "POST", headers: { ...headers, cookie } }));
const statusOf = async (cookie: string) =>
  (await aboutRoute.GET(aRequest("/api/v1/about", { headers: { ...headers, cookie } }))).status;
const stored = () => EndedSessionModel.find({}).lean();

it("finding B5: a copy of the cookie opens nothing after the sign-out, other sessions stay", async () => {
  const [cookie, other] = [await login(), await login()];
  expect(await statusOf(cookie)).toBe(200);
  expect((await logout(cookie)).status).toBe(200);
  expect([await statusOf(cookie), await statusOf(other)]).toEqual([401, 200]);
  const [record, ...more] = await stored();
  expect(more).toEqual([]);
  expect(record?.endsAt.getTime()).toBeGreaterThan(Date.now() + 11 * hour);
});

it("finding B5: another instance learns of it with its next look, and so does one that starts later", async () => {
  await EndedSessionModel.deleteMany({});
  const [here, there] = [new EndedSessions(), new EndedSessions()];
  await there.refresh();
  await here.add("one", Date.now() + hour);
  await here.add("one", Date.now() + hour);
  expect([here.has("one"), there.has("one")]).toEqual([true, false]);
  await there.refresh();
  const started = new EndedSessions();
  await started.refresh();
  expect([there.has("one"), started.has("one"), there.has("two")]).toEqual([true, true, false]);
});

it("finding B5: a sign-out while the database is away holds at once, and is stored when it is back", async () => {
  vi.spyOn(log, "warn").mockReturnValue();
  const { name } = mongoose.connection;
  const [here, there] = [new EndedSessions(), new EndedSessions()];
  await disconnect();
  await here.add("away", Date.now() + hour);
  expect(here.has("away")).toBe(true);
  await expect(here.refresh()).rejects.toThrow();
  expect(here.has("away")).toBe(true);
  await connect({ uri: databaseUri(), dbName: name });
  await here.refresh();
  await there.refresh();
  expect(there.has("away")).toBe(true);
  vi.restoreAllMocks();
});

it("finding B5: what is over is removed, from memory and from the database", async () => {
  await EndedSessionModel.deleteMany({});
  vi.useFakeTimers({ toFake: ["Date"] });
  const sessions = new EndedSessions();
  await sessions.add("soon", Date.now() + hour);
  await sessions.add("later", Date.now() + 3 * hour);
  await sessions.refresh();
  vi.setSystemTime(Date.now() + 2 * hour);
  await sessions.refresh();
  vi.useRealTimers();
  expect([sessions.has("soon"), sessions.has("later")]).toEqual([false, true]);
  expect((await stored()).map(({ _id }) => _id)).toEqual(["later"]);
});

it("finding B5: a change keeps a session from being idle, a read does not, and telling so does", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 1000) * 1000 });
  const start = Date.now();
  const cookie = await login();
  const ask = async (method: "GET" | "POST", sent: string) => {
    const response = await sessionRoute[method](
      aRequest("/api/v1/ui/session", { method, headers: { ...headers, cookie: sent } }),
    );
    const { data } = await readAnswer<{ ends_ts: string }>(response.clone());
    return { ends: Date.parse(data.ends_ts) - start, cookie: cookieOf(response) };
  };
  expect(await ask("POST", cookie)).toEqual({ ends: 2 * hour, cookie: "" });
  vi.setSystemTime(start + hour);
  expect(await ask("GET", cookie)).toEqual({ ends: 2 * hour, cookie: "" });
  const used = await ask("POST", cookie);
  expect(used).toEqual({ ends: 3 * hour, cookie: expect.stringMatching(/^next-auth\.session-token=.+/) });
  vi.setSystemTime(start + 2 * hour);
  expect([await statusOf(cookie), await statusOf(used.cookie)]).toEqual([401, 200]);
  expect((await ask("GET", used.cookie)).ends).toBe(3 * hour);
  await logout(used.cookie);
  expect(await statusOf(used.cookie)).toBe(401);
  vi.useRealTimers();
});
