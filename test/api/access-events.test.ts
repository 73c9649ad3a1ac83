import mongoose from "mongoose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as exchangeRoute from "@/app/api/v1/exchange/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as meRoute from "@/app/api/v1/me/route";
import * as freezeRoute from "@/app/api/v1/releases/freeze/route";
import { recordWaiting } from "@/lib/platform/audit/commands";
import { noteFailure, recordFailures } from "@/lib/platform/auth/record-sign-in";
import { replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { believeClientHeaders, clientAddressHeader } from "@/lib/platform/http/read/client-address";
import { log } from "@/lib/platform/log";
import { AuditEventModel } from "@/models/audit-event";
import { storeApp } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { asPerson, callAs, usePeople } from "@/test/support/people";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

/* What the trail and the log tell of who comes in (`gate.md` W12). */

withDatabase();
const password = "open sesame";
beforeEach(async () => {
  // Those of other files in this process.
  await recordFailures(Infinity);
  await emptyDatabase();
  replaceLoginThrottle(null);
  useSettings({
    AUTH_TYPE: "basic",
    BASIC_AUTH_PASSWORD: password,
    SESSION_SECRET: "0123456789abcdef".repeat(2),
  });
  believeClientHeaders();
  vi.spyOn(log, "warn").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

const from = (address: string) => ({ host: "policy.lan", [clientAddressHeader]: address });
async function signIn(typed: string, address = "192.0.2.7"): Promise<number> {
  const headers = { ...from(address), "x-display-name": "Ada" };
  return (await loginRoute.POST(aRequest("/api/v1/login", { body: { password: typed }, headers }))).status;
}
const askWho = async (headers: Record<string, string>) =>
  (await meRoute.GET(aRequest("/api/v1/me", { headers: { ...from("192.0.2.8"), ...headers } }))).status;
const list = (action: string) => AuditEventModel.find({ action }).sort({ _id: 1 }).lean();

it("A3: sixty failures at once leave a sign-in in the trail, and make one event with their number", async () => {
  const guessing = Array.from({ length: 60 }, () => signIn("wrong"));
  const [signedIn] = await Promise.all([signIn(password, "192.0.2.9"), ...guessing]);
  expect(signedIn).toBe(200);
  // Before the answer: nothing is waited for here.
  expect(await list("login.succeed")).toMatchObject([
    { actor: "admin", displayName: "Ada", personId: "password", after: { address: "192.0.2.9" } },
  ]);
  await recordFailures();
  expect(await list("login.fail")).toEqual([]);
  await recordFailures(Date.now() + 60_000);
  // Ten were looked at; who asks after those is not told whether it was right.
  expect(await list("login.fail")).toMatchObject([
    { actor: "public", displayName: null, after: { address: "192.0.2.7", count: 10, proofs: ["password"] } },
  ]);
  expect(JSON.stringify(await AuditEventModel.find().lean())).not.toMatch(/sesame|wrong/);
});

it("A2: wrong tokens and wrong passwords in a header are failures", async () => {
  expect(await askWho({ "basic-auth-password": "wrong" })).toBe(401);
  for (let count = 0; count < 2; count += 1) {
    expect(await askWho({ authorization: `Bearer ops_01234567_${"x".repeat(43)}` })).toBe(401);
  }
  await recordFailures(Infinity);
  expect(await list("login.fail")).toMatchObject([
    { after: { address: "192.0.2.8", count: 3, proofs: ["header", "token"] } },
  ]);
});

it("W12: tells 20 networks of a minute apart (/24, /64), and counts all others together", async () => {
  const fail = (address: string, proof: "password" | "token" = "password") =>
    noteFailure(new Headers(from(address)), proof, 0);
  for (let index = 0; index < 30; index += 1) fail(`10.1.${index}.7`);
  fail("10.1.3.8", "token");
  fail("10.1.4.7");
  await recordFailures(59_999);
  expect(await list("login.fail")).toEqual([]);
  await recordFailures(60_000);
  expect((await list("login.fail")).map(({ after }) => after).filter(({ count }: any) => count > 1)).toEqual([
    {
      network: "10.1.3.0/24",
      address: null,
      count: 2,
      proofs: ["password", "token"],
      since: new Date(0).toISOString(),
    },
    expect.objectContaining({ network: "10.1.4.0/24", address: "10.1.4.7", count: 2 }),
    expect.objectContaining({ network: null, address: null, count: 10 }),
  ]);
  for (let index = 1; index <= 500; index += 1) fail(`2001:db8:0:7::${index.toString(16)}`);
  await recordFailures(60_000);
  expect((await list("login.fail")).slice(21)).toMatchObject([{ after: { network: "2001:db8:0:7::/64", count: 500 } }]);
});

it("signs in without a database, and records it when there is one again; failures go on being counted", async () => {
  const away = vi.spyOn(mongoose.connection, "transaction").mockRejectedValue(new DatabaseUnavailable("gone"));
  expect(await signIn(password)).toBe(200);
  expect(await signIn("wrong")).toBe(401);
  await expect(recordWaiting()).rejects.toThrow("gone");
  await expect(recordFailures(Infinity)).rejects.toThrow("gone");
  expect(await signIn("wrong")).toBe(401);
  away.mockRestore();
  await recordWaiting();
  await recordWaiting();
  await recordFailures(Infinity);
  expect(await list("login.succeed")).toMatchObject([{ after: { address: "192.0.2.7" } }]);
  expect(await list("login.fail")).toMatchObject([{ after: { count: 2 } }]);
});

it("refuses a sign-in that could not be recorded any more", async () => {
  vi.spyOn(mongoose.connection, "transaction").mockRejectedValue(new DatabaseUnavailable("gone"));
  for (let count = 0; count < 1_000; count += 1) expect(await signIn(password)).toBe(200);
  expect(await signIn(password)).toBe(503);
});

it("P2: records each use of the password where a proxy names people, before the answer", async () => {
  usePeople({ BASIC_AUTH_PASSWORD: password });
  expect(await askWho({ "basic-auth-password": password })).toBe(200);
  expect(await list("login.break-glass")).toMatchObject([{ actor: "admin", personId: "password" }]);
});

it("records what the gate refuses, with who was refused and why", async () => {
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
  const id = await storeApp(uuid, "PENDING");
  usePeople();
  const accept = { id, approval_status: "ACCEPTED" };
  const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const fair = { from, to, reason: "Fair" };
  const ada = asPerson("Ada", "admin");
  expect((await callAs(ada, freezeRoute.PUT, { method: "PUT", body: fair })).status).toBe(200);
  const paula = asPerson("Paula", "publisher");
  const { status, message } = await callAs(paula, actionRoute.POST, { body: accept });
  expect(status).toBe(409);
  expect(await list("gate.refuse")).toMatchObject([
    { displayName: "Paula", personId: "proxy|paula", target: "production", after: { reason: message } },
  ]);
  expect((await callAs(ada, freezeRoute.PUT, { method: "PUT", body: { reason: null } })).status).toBe(200);
  usePeople({ PUBLISH_APPROVALS: "all" });
  expect((await callAs(paula, actionRoute.POST, { body: accept })).status).toBe(409);
  const served = "22222222-aaaa-4bbb-8ccc-000000000002";
  await storeApp(served, "ACCEPTED");
  const apps = [{ uuid: served, allow_unknown_rpc_passthrough: true, versions: [] }];
  const document = { format: "open-policy/1", apps };
  expect((await callAs(paula, exchangeRoute.POST, { body: { document } })).data.approval).toBeDefined();
  expect(await list("gate.refuse")).toHaveLength(1);
});

it("A2: the access log tells the address and the id of who called, never a name or a password", async () => {
  const info = vi.spyOn(log, "info").mockReturnValue();
  usePeople();
  await callAs(asPerson("Eddie", "editor"), meRoute.GET, {});
  await askWho({});
  expect(info.mock.calls.map(([line]) => line)).toMatchObject([
    { caller: "proxy|eddie", status: 200, address: expect.any(String) },
    { caller: null, status: 401 },
  ]);
});
