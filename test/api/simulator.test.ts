import { describe, expect, it } from "vitest";
import { requestOf, withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { findServices } from "@/lib/policy/services";
import type { Environment } from "@/lib/vocabulary/terms";

withApi();
const simulating = findRoute("POST /api/v1/policy/simulate");

async function read(
  response: Response,
): Promise<{ readonly status: number; readonly message: string; readonly data: any }> {
  const { meta, data } = await readAnswer(response);
  return { status: meta.code, message: meta.message ?? "", data };
}
const simulate = async (body: Record<string, unknown>) =>
  read(await simulating.handler(requestOf(simulating, { body })));
const listApps = async () => {
  const { handler } = findRoute("GET /api/v1/applications");
  const { applications } = (await readAnswer(await handler(aRequest("/api/v1/applications")))).data;
  return applications as any[];
};

async function vehicleWorkerText(environment: Environment, request: unknown): Promise<string> {
  const answer = await findServices()
    ?.runtime.caughtUp()
    .then(() => findServices()?.answerVehicle(environment, Buffer.from(JSON.stringify(request))));
  return Buffer.concat(answer?.buffers ?? [])
    .toString()
    .replace(answer?.requestId ?? "", "");
}

describe("L15: what a vehicle would get", () => {
  it("L15: is byte for byte what the vehicle worker answers to the request that is told, with names and reasons", async () => {
    const apps = await listApps();
    const uuids = apps.map(({ uuid }) => uuid);
    for (const environment of ["staging", "production"] as const) {
      const body = { apps: [...uuids, "unknown"], environment };
      const text = await (await simulating.handler(requestOf(simulating, { body }))).text();
      const { data } = JSON.parse(text);
      expect(text).toContain(
        (await vehicleWorkerText(environment, data.request)).slice(
          '{"meta":{"request_id":"","code":200,"message":null},"data":[{"policy_table":'.length,
          -3,
        ),
      );
      expect(data.reasons.map(({ id }: any) => id)).toEqual([...uuids, "unknown"]);
      const served = data.reasons.filter(({ outcome }: any) => outcome === "own entry");
      expect(served.length).toBeGreaterThan(0);
      for (const { app, id } of served) {
        expect(app.name).toBe(apps.find(({ uuid }) => uuid === id).name);
        expect(app.version).not.toBe(null);
      }
      expect(data.reasons.at(-1)).toMatchObject({ outcome: "default", app: null, decided_by: "A5" });
      expect(data.verdict.regular.is_accepted).toBe(true);
    }
  });

  it("L15: as of a release, which has no staging", async () => {
    const now = await simulate({ apps: [] });
    const then = await simulate({ apps: [], release: 1 });
    expect(then.data.table.functional_groupings).toEqual(now.data.table.functional_groupings);
    expect(await simulate({ apps: [], release: 1, environment: "staging" })).toMatchObject({ status: 400 });
  });
});

describe("L15: hostile input", () => {
  it("L15: a release that there is none of is refused by name", async () => {
    expect(await simulate({ apps: [], release: 99 })).toMatchObject({ status: 404, message: "There is no release 99" });
  });

  it("L15: JSON that is nested too deeply is refused, 100 kB of ids are answered or refused, never with 500", async () => {
    const text = `{"request":{"app_policies":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
    expect((await simulating.handler(aRequest(simulating.path, { body: text }))).status).toBe(400);
    const long = "x".repeat(100_000);
    expect((await simulate({ request: { app_policies: { [long]: {} } } })).status).toBe(200);
    expect((await simulate({ apps: [long] })).status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`${at}${"y".repeat(100)}`, {}]));
    const { status, data } = await simulate({ request: { app_policies: many } });
    expect(status).toBe(200);
    expect(data.reasons.length).toBe(998);
  });

  it("finding G8: answers about every id that a vehicle may name", async () => {
    const ids = ["__proto__", "constructor", "prototype"];
    const request = { app_policies: JSON.parse(`{${ids.map((id) => `"${id}":{}`).join()}}`) };
    const { status, data } = await simulate({ request });
    expect(status).toBe(200);
    expect(data.reasons.map(({ id }: any) => id)).toEqual(ids);
    expect(Object.keys(data.table.policy_table?.app_policies ?? data.table.app_policies)).toEqual(
      expect.arrayContaining(ids),
    );
  });
});

describe("L15: the matrix of an app", () => {
  const matrix = findRoute("GET /api/v1/policy/matrix");
  const ask = async (query: string) => read(await matrix.handler(requestOf(matrix, { query })));

  it("L15: is that of the version that is served, of the newest one, or of the one that is named", async () => {
    const apps = await listApps();
    const served = apps.find(({ approval_status }) => approval_status === "ACCEPTED");
    const { data } = await ask(`app=${served.uuid.toUpperCase()}`);
    expect(data).toMatchObject({
      app: { uuid: served.uuid, name: served.name, approval_status: "ACCEPTED" },
      is_served: true,
      served_id: served.id,
    });
    expect(data.rpcs.length).toBeGreaterThan(10);
    const waiting = apps.find(({ approval_status }) => approval_status === "PENDING");
    const pending = await ask(`app=${waiting.uuid}&version=${waiting.id}`);
    expect(pending.data).toMatchObject({ app: { version_id: waiting.id }, is_served: false });
    expect(pending.data.groups.length).toBeGreaterThan(0);
  });

  it("C16 to C18: matrix, reasons and the page of the RPC agree on what the car rejects, and with what cure", async () => {
    const use = findRoute("GET /api/v1/ui/permissions/use");
    const apps = await listApps();
    const alerting = apps.find(({ name }) => name === "Reststop Reminder");
    const remote = apps.find(({ name }) => name === "ClimaPal");
    for (const [app, rpc, level, isAllowed] of [
      [alerting, "Alert", "BACKGROUND", false],
      [remote, "SetInteriorVehicleData", "FULL", true],
    ] as const) {
      const { data } = await ask(`app=${app.uuid}&environment=staging`);
      const cell = data.rpcs.find(({ name }: any) => name === rpc).cells.find(({ level: one }: any) => one === level);
      const { reasons } = (await simulate({ apps: [app.uuid], environment: "staging" })).data;
      expect(cell.is_granted).toBe(isAllowed);
      const withheld = reasons[0].withheld.find((one: any) => one.permission === rpc && one.level === level);
      const page = await read(
        await use.handler(requestOf(use, { query: `rpc=${rpc}&q=${encodeURIComponent(app.name)}&apps=requested` })),
      );
      const row = page.data.apps.find(({ uuid }: any) => uuid === app.uuid);
      expect(row.staging.levels.includes(level)).toBe(isAllowed);
      if (isAllowed) {
        expect(withheld).toBe(undefined);
        continue;
      }
      expect(cell.conditions).toMatchObject([
        { rule: "C16", is_rejected: true, cure: expect.stringMatching(/raise the limit of NONE/) },
      ]);
      expect(cell.reason).toMatch(
        /^The groups grant it, but the car rejects it: .*\(C16\)\. Give the app a priority .*Settings/,
      );
      expect([withheld.kind, withheld.reason]).toEqual(["condition", cell.reason]);
    }
  });

  it("L15: unknown apps and versions of others are 404", async () => {
    const [app, other] = await listApps();
    expect(await ask("app=unknown")).toMatchObject({ status: 404, message: "No app has this uuid" });
    expect((await ask(`app=${app.uuid}&version=${other.id}`)).status).toBe(404);
  });
});
