import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { daily } from "@/test/support/extent";
import { hangMs } from "@/test/support/patience.mjs";
import {
  aloneEnvironment,
  emptyDataDir,
  startDatabase,
  startServer,
  type TestServer,
  impatient,
} from "@/test/support/server";
import { requestTable, eventually, sampleRequest } from "@/test/support/vehicle";

type Database = Awaited<ReturnType<typeof startDatabase>>;

const ended: (() => Promise<unknown>)[] = [];
const started = <T>(one: T, end: (one: T) => Promise<unknown>): T => {
  ended.push(() => end(one));
  return one;
};
const serverOn = async (env: Readonly<Record<string, string>>) =>
  started(await startServer({ dataDir: emptyDataDir(), env }), (server) => server.stop());
const databaseIn = async (folder: string): Promise<Database> =>
  started(await startDatabase(folder), (database) => database.kill());

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = emptyDataDir();
  database = await databaseIn(folder);
});
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const toCall = (path: string) => [path] as const;

const grantedApp = async (server: TestServer): Promise<string> => {
  const { data } = await (await fetch(`${server.origin}/api/v1/applications?approval_status=ACCEPTED`)).json();
  return data.applications[0].uuid;
};
const setPassthrough = (server: TestServer, uuid: string, value: boolean) =>
  fetch(`${server.origin}/api/v1/applications/passthrough`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uuid, allow_unknown_rpc_passthrough: value }),
  });
const servedPassthrough = async (server: TestServer, uuid: string): Promise<boolean> => {
  const request = JSON.parse(sampleRequest("1-app"));
  request.policy_table.app_policies = { [uuid]: {} };
  request.policy_table.module_config.full_app_id_supported = true;
  const { table } = await requestTable(server.origin, { body: JSON.stringify(request) });
  return table.app_policies[uuid].allow_unknown_rpc_passthrough;
};

describe("the database goes away", () => {
  it("K5: no vehicle request fails under load, and a later revision is picked up without a restart", async () => {
    const server = await serverOn({ MONGODB_URI: impatient(database.uri) });
    const uuid = await grantedApp(server);
    const load = autocannon({
      url: `${server.origin}/api/v1/production/policy`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: sampleRequest("10-apps"),
      connections: 10,
      duration: 6,
    });
    await database.kill();
    const refused = await eventually(async () => {
      const response = await setPassthrough(server, uuid, true);
      return response.status === 503 ? response : null;
    });
    expect(refused.headers.get("retry-after")).toBe("5");
    await eventually(async () => (await (await fetch(`${server.origin}/health/ready`)).json()).state === "degraded");
    const result = await load;
    expect(result.non2xx + result.errors + result.timeouts).toBe(0);
    expect(result["2xx"]).toBeGreaterThan(0);

    database = await databaseIn(folder);
    const before = await servedPassthrough(server, uuid);
    await eventually(async () => (await setPassthrough(server, uuid, !before)).status === 200);
    await eventually(async () => (await servedPassthrough(server, uuid)) === !before);
    await eventually(async () => (await (await fetch(`${server.origin}/health/ready`)).json()).state === "ready");
    expect(server.child.exitCode).toBeNull();
  });

  daily(
    "every class of route answers 503 with Retry-After within 3 s, and recovers by itself (api.md 0.5)",
    async () => {
      const server = await serverOn({ ...aloneEnvironment, MONGODB_URI: database.uri });
      const text = { language_id: "en-us", selected: true };
      const calls: (readonly [path: string, body?: object])[] = [
        ...["applications", "applications?limit=5", "applications/groups", "applications/store", "audit"].map(toCall),
        ...["groups", "groups/names", "messages", "messages/names", "module", "permissions/unmapped"].map(toCall),
        ...["vehicle-data", "vehicle-data/type"].map(toCall),
        ["groups", { name: "Away", is_default: false, rpcs: [] }],
        ["groups/promote", { id: 1 }],
        ["messages", { messages: [{ message_category: "Away", is_deleted: false, languages: [text] }] }],
        ["vehicle-data", { name: "away", key: "AWAY", type: "Integer" }],
        ["vehicle-data/promote", {}],
        ["module/promote", {}],
        ["applications/auto", { uuid: "x", is_auto_approved_enabled: true }],
        ["applications/action", { id: 1, approval_status: "ACCEPTED" }],
      ];
      const call = ([path, body]: readonly [string, object?]) =>
        fetch(`${server.origin}/api/v1/${path}`, {
          // What takes longer than the requirement allows is aborted, and fails here.
          signal: AbortSignal.timeout(hangMs(3)),
          ...(body && {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        });
      const inTime = (one: (typeof calls)[number]) =>
        call(one).catch((cause: unknown) => {
          throw new Error(`no answer within 3 s: ${one[0]}`, { cause });
        });
      // What comes before, while and just after the database dies: the server does not know of it yet.
      const underWay: Promise<Response>[] = [];
      const arriving = setInterval(() => underWay.push(...calls.map(inTime)), 20);
      await database.kill();
      await delay(100);
      clearInterval(arriving);
      for (const { status } of await Promise.all(underWay)) expect([200, 400, 404, 409, 503]).toContain(status);

      for (const one of calls) {
        const response = await inTime(one);
        expect([one[0], response.status, response.headers.get("retry-after")]).toEqual([one[0], 503, "5"]);
      }
      expect((await requestTable(server.origin)).status).toBe(200);
      database = await databaseIn(folder);
      await eventually(async () => (await call(["groups"]).catch(() => null))?.status === 200);
      for (const one of calls.filter(([, body]) => !body))
        expect([one[0], (await call(one)).status]).toEqual([one[0], 200]);
    },
  );
});
