import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findServices } from "@/lib/policy/services";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ApplicationModel } from "@/models/application";
import { withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { store, storeGroup } from "@/test/support/stored-records";

const api = withApi();

async function ask(name: string, { query = "", body }: { query?: string; body?: object } = {}) {
  const { handler, method, path } = findRoute(name);
  return readAnswer(await handler(aRequest(`${path}${query}`, { method, ...(body && { body }) })));
}

it("finding A9: the next reader sees a decision in the stores, the preview of its entry and the figures", async () => {
  const app = await ApplicationModel.findOne({ platform: "EMBEDDED", isLatest: true }).lean();
  const { _id: id, uuid } = app ?? { _id: 0, uuid: "" };
  const offered = async (path: string) =>
    (await ask(`GET /api/v1/applications/store${path}`)).data.applications.some(
      (one: { policyAppID: string }) => one.policyAppID === uuid,
    );
  const table = { app_policies: { [uuid]: {} }, module_config: { full_app_id_supported: true } };
  const entry = async () => {
    const segment = await ask("POST /api/v1/policy/apps", {
      query: "?environment=production",
      body: { policy_table: table },
    });
    return segment.data[0].policy_table.app_policies[uuid];
  };
  for (const status of ["PENDING", "STAGING", "ACCEPTED", "LIMITED", "ACCEPTED", "PENDING", "ACCEPTED"]) {
    const answer = await ask("POST /api/v1/applications/action", { body: { id, approval_status: status } });
    expect(answer.meta.code).toBe(200);
    expect([await offered(""), await offered("/staging")]).toEqual([status === "ACCEPTED", status === "STAGING"]);
    const found = await entry();
    if (status === "ACCEPTED") expect(found).toMatchObject({ keep_context: true });
    else expect(found).toBe("default");
  }
});

it("Q1: entries are shown whatever the bytes of a request are; other routes stay strict", async () => {
  const send = async (name: string, body: object) => {
    const { handler, path } = findRoute(name);
    return readAnswer(await handler(aRequest(path, { body: Buffer.from(JSON.stringify(body), "latin1") })));
  };
  const segment = await send("POST /api/v1/policy/apps", { policy_table: { app_policies: { Größe: {} } } });
  expect(Object.keys(segment.data[0].policy_table.app_policies)[0]).toBe("Gr\ufffd\ufffde");
  const refused = await send("POST /api/v1/groups", { name: "Größe" });
  expect(refused.meta).toMatchObject({ code: 400, message: "Body is not valid UTF-8" });
});

describe("finding A1: what head units would refuse is told wherever somebody looks", () => {
  const counters = async () => (await ask("GET /api/v1/ui/counters")).data.refused_tables;
  const about = async () => (await ask("GET /api/v1/about")).data.head_unit_findings;
  const metric = async (environment: string, build: string) => {
    const text = await (await findRoute("GET /metrics").handler(aRequest("/metrics"))).text();
    const line = `policy_head_unit_findings{environment="${environment}",build="${build}",severity="refused",process="server"} `;
    return Number(
      text
        .split("\n")
        .find((one) => one.startsWith(line))
        ?.slice(line.length),
    );
  };

  it("nothing, while there is nothing", async () => {
    expect(await counters()).toEqual({ staging: null, production: null });
    expect(await about()).toMatchObject({ staging: { refused: 0 }, production: { refused: 0 } });
    expect([await metric("staging", "external"), await metric("staging", "both")]).toEqual([0, 0]);
  });

  it("a staging table without a group for the device, as soon as its save is answered", async () => {
    const device = await FunctionalGroupModel.find({ isDevice: true }, { name: 1 }).lean();
    await store(async (tx) => {
      for (const { name } of device)
        await storeGroup(tx, { name, status: "STAGING", isDefault: true, isPreDataConsent: true });
    });
    const path = "app_policies.device.groups";
    const message = expect.stringContaining("the list of groups is empty");
    expect(await counters()).toEqual({ staging: { count: 1, message, path }, production: null });
    const { staging, production } = await about();
    expect(staging).toMatchObject({
      refused: 1,
      findings: [{ build: "external", severity: "refused", path, uuid: null }],
    });
    expect(production.refused).toBe(0);
    expect(await metric("staging", "external")).toBe(1);
    expect(await metric("production", "external")).toBe(0);
    expect(findServices()?.runtime.findings("staging")).toContainEqual(expect.objectContaining({ path }));
  });
});

describe("C15: what cars make of groups that nobody means is told wherever somebody looks", () => {
  const rpc = (level: string, parameters: readonly string[]) => ({
    name: "GetVehicleData",
    selected: true,
    hmi_levels: [{ value: level, selected: true }],
    parameters: parameters.map((key) => ({ key, selected: true })),
  });
  const everybodys = (name: string, level: string, parameters: readonly string[]) => ({
    name,
    is_default: true,
    rpcs: [rpc(level, parameters)],
  });
  async function tell(wanted: string, group: ReturnType<typeof everybodys>) {
    saved = group;
    const edited = await ask("POST /api/v1/ui/groups/effect", { body: group });
    expect((await ask("POST /api/v1/groups", { body: group })).meta.code).toBe(200);
    const { checks } = (await ask("GET /api/v1/releases/changes")).data;
    const { uuid } = (await ApplicationModel.findOne({ approvalStatus: "ACCEPTED" }, { uuid: 1 }).lean()) ?? {
      uuid: "",
    };
    const matrix = await ask("GET /api/v1/policy/matrix", { query: `?app=${uuid}&environment=staging` });
    const ofRpc = (found: any[]) =>
      found.filter(({ rule, message }) => rule === wanted && message.includes("GetVehicleData"));
    return {
      editor: ofRpc(edited.data.findings).map(({ rule, build }: any) => [rule, build]),
      editorCounts: ofRpc(edited.data.findings).every(({ app_count }: any) => app_count > 0),
      review: ofRpc(checks.filter(({ key }: any) => key === group.name)).map(({ rule }: any) => rule),
      app: ofRpc(matrix.data.surprises).map(({ rule }: any) => rule),
    };
  }

  beforeEach(async () => {
    api.use();
    await store((tx) => storeGroup(tx, { name: "Reads", status: "PRODUCTION", isDefault: true, rpcs: reads }));
  });
  afterEach(async () => {
    expect((await ask("POST /api/v1/groups", { body: { ...saved, is_deleted: true } })).meta.code).toBe(200);
  });
  let saved = {};
  const reads = [{ name: "GetVehicleData", levels: ["FULL" as const], parameters: ["gps"] }];

  it("an RPC without parameters, which takes it from all that have the group", async () => {
    const told = { editor: [["C1 veto", "regular"]], editorCounts: true, review: ["C1 veto"], app: ["C1 veto"] };
    expect(await tell("C1 veto", everybodys("Empty", "FULL", []))).toEqual(told);
  });

  it("levels of one group with parameters of another", async () => {
    const told = { editor: [["C3 spills", "external"]], editorCounts: true, review: ["C3 spills"], app: ["C3 spills"] };
    expect(await tell("C3 spills", everybodys("Early", "NONE", ["speed"]))).toEqual(told);
  });

  it("nothing of builds that no car has", async () => {
    api.use({ HEAD_UNITS: "regular" });
    expect(await tell("C3 spills", everybodys("Early", "NONE", ["speed"]))).toMatchObject({
      editor: [],
      review: [],
      app: [],
    });
  });

  it("parameters that the oldest head units do not know, where there are some", async () => {
    const rule = "C15 unknown there";
    const told = { editor: [[rule, "regular"]], editorCounts: true, review: [rule], app: [rule] };
    expect(await tell(rule, everybodys("Seats", "FULL", ["seatOccupancy"]))).toEqual(told);
    api.use({ OLDEST_HEAD_UNIT: "8.2" });
    expect(await tell(rule, everybodys("Seats", "FULL", ["seatOccupancy"]))).toMatchObject({
      editor: [],
      review: [],
      app: [],
    });
  });
});
