import { describe, expect, it } from "vitest";
import { findServices } from "@/lib/policy/services";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ApplicationModel } from "@/models/application";
import { withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { store, storeGroup } from "@/test/support/stored-records";

withApi();

async function ask(name: string, { query = "", body }: { query?: string; body?: object } = {}) {
  const { handler, method, path } = findRoute(name);
  return readAnswer(await handler(aRequest(`${path}${query}`, { method, ...(body && { body }) })));
}

describe("finding A9: what was answered is seen by the next reader", () => {
  it("a decision in the stores, the preview of its entry and the figures of the console", async () => {
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
