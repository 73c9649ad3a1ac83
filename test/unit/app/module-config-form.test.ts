import { describe, expect, it } from "vitest";
import { labels, mappingVersion, toBody, toEditable, toPairBody } from "@/app/(console)/moduleconfig/editable";
import { moduleConfigBody } from "@/lib/records/module-config/schema";
import { aWireModuleConfig } from "@/test/support/module-config";

const properties = {
  "0x04": { "with.dots": "1" },
  queryAppsUrl: {},
  lock_screen_icon_url: {},
  custom_vehicle_data_mapping_url: { version: "0.1.2", other: "x" },
};
const config = aWireModuleConfig({ id: 4, endpoint_properties: properties });
const { id: _id, status: _status, expiration_ts: _end, ...settings } = config;

describe("the form of the module config", () => {
  it("saves what was loaded as it was, and passes the schema of the route", () => {
    expect(toBody(toEditable(config), 4)).toEqual({ ...settings, keep_certificate: true, base_id: 4 });
    expect(moduleConfigBody.safeParse(toBody(toEditable(config), 4)).success).toBe(true);
  });

  it.each([
    ["without a version", {}],
    ["with an empty version", { version: "" }],
  ])("does not change properties %s", (_, own) => {
    const one = aWireModuleConfig({ endpoint_properties: { ...properties, custom_vehicle_data_mapping_url: own } });
    expect(toBody(toEditable(one), 4).endpoint_properties).toEqual(one.endpoint_properties);
  });

  it("stores one field without the others of its group", () => {
    const queryAppsUrl = "https://new.example.com/";
    const value = { ...toEditable(config), "endpoints.queryAppsUrl": queryAppsUrl, [mappingVersion]: null };
    expect(toBody(value, 4)).toEqual({
      ...{ ...settings, keep_certificate: true, base_id: 4 },
      endpoints: { ...config.endpoints, queryAppsUrl },
      endpoint_properties: { ...properties, custom_vehicle_data_mapping_url: { other: "x" } },
    });
  });

  it("saves RPC priorities as they were, and none where there is none", () => {
    const rpc_priority_table = { rpc_priority: { "UI.Alert": 2 }, hmi_status_priority: { FULL: 0 } };
    const value = toEditable({ ...config, rpc_priority_table });
    expect(toBody(value, 4)).toEqual({ ...settings, rpc_priority_table, keep_certificate: true, base_id: 4 });
    expect(moduleConfigBody.safeParse(toBody(value, 4)).success).toBe(true);
  });

  it("stores a pair with the settings as they are stored, and nothing is taken over then", () => {
    const body = toPairBody(toEditable(config), { certificate: "C", privateKey: "K" }, 4);
    expect(body).toEqual({ ...settings, certificate: "C", private_key: "K", base_id: 4 });
  });

  it("has words for every field, so that no difference is left out where one must choose", () =>
    expect(Object.keys(toEditable(config)).sort()).toEqual(Object.keys(labels).sort()));
});
