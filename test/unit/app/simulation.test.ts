import { describe, expect, it } from "vitest";
import { listSources, nameOf } from "@/app/(console)/policytable/sources";
import {
  buildAddress,
  buildBody,
  buildCurl,
  readRequest,
  type VehicleForm,
} from "@/app/(console)/policytable/vehicle/simulation";
import { itemAddress } from "@/lib/vocabulary/release-items";
import { readAppList } from "@/app/(console)/policytable/app-list";
import { policyTableQuery } from "@/app/(console)/policytable/page-query";
import { aSimulation } from "@/test/support/simulations";

const form: VehicleForm = {
  ...{ how: "apps", apps: [{ uuid: "u1", name: "One" }], request: "", of: "production", ids: "full", headUnit: "8.2" },
};

describe("L15: what the simulator is asked", () => {
  it("names apps and an environment, or a release by its number", () => {
    expect(buildBody(form)).toEqual({ body: { environment: "production", apps: ["u1"], full_app_id_supported: true } });
    expect(buildBody({ ...form, of: "12", ids: "short" })).toEqual({
      body: { release: 12, apps: ["u1"], full_app_id_supported: false },
    });
  });

  it("sends a pasted request as it is, and says what is no request", () => {
    const request = '{"policy_table": {"app_policies": {}}}';
    expect(buildBody({ ...form, how: "request", request })).toEqual({
      body: { environment: "production", request: { policy_table: { app_policies: {} } } },
    });
    expect(readRequest(" ")).toEqual({ problem: "Paste a shortened policy table or choose a file." });
    expect(readRequest("[1]")).toEqual({ problem: "The request must be a JSON object." });
    expect(readRequest("{")).toEqual({ problem: expect.stringMatching(/^This is not valid JSON: /) });
  });

  it("keeps apps in the address, and no pasted request", () => {
    const address = buildAddress({ ...form, ids: "short" });
    expect(address).toBe("/policytable?tab=vehicle&of=production&apps=u1&ids=short");
    const query = policyTableQuery.parse(Object.fromEntries(new URLSearchParams(address.split("?")[1])));
    expect(query).toMatchObject({ tab: "vehicle", of: "production", ids: "short" });
    expect(readAppList(query.apps)).toEqual(["u1"]);
    expect(buildAddress({ ...form, how: "request" })).toBe("/policytable?tab=vehicle&of=production");
    const many = Array.from({ length: 41 }, (_, index) => ({ uuid: `u${index}`, name: "" }));
    expect(buildAddress({ ...form, apps: many })).toBe("/policytable?tab=vehicle&of=production");
  });

  it("what means nothing in the address is left out", () => {
    const address = { tab: "compare", of: "yesterday", ids: "long", apps: "a, b,,a" };
    const query = policyTableQuery.parse(address);
    expect(query).toMatchObject({ tab: "table", of: undefined, ids: undefined });
    expect(readAppList(query.apps)).toEqual(["a", "b"]);
    expect(readAppList(undefined)).toEqual([]);
  });

  it("L18: the curl command asks the vehicle worker of the environment, or of a release the simulator", () => {
    const { request } = aSimulation();
    const curl = buildCurl({ request }, "staging", "https://policy.example");
    expect(curl).toContain("'https://policy.example/api/v1/staging/policy'");
    expect(curl).toContain('{"policy_table":{"app_policies":{"uuid-1":{}}');
    expect(buildCurl({ request: { policy_table: request } }, "staging", "https://policy.example")).toBe(curl);
    const old = buildCurl({ request }, "12", "https://policy.example");
    expect(old).toContain("/api/v1/policy/simulate'");
    expect(old).toContain('{"release":12,"request":{"app_policies"');
  });

  it("L18: quotes of a request cannot end the argument of the command", () => {
    const curl = buildCurl({ request: { "it's": 1 } }, "staging", "https://policy.example");
    expect(curl).toContain(String.raw`{"it'\''s":1}`);
  });
});

it("L3: tables to choose from are environments and releases, by name, also one that is not listed", () => {
  const winter = { number: 12, name: "Winter" };
  const sources = listSources([winter, { number: 11, name: null }], ["production", "3"]);
  expect(sources.map(({ label }) => label)).toEqual([
    ...["Production", "Staging", "Release 12: Winter", "Release 11", "Release 3"],
  ]);
  expect(nameOf("12", sources)).toBe("Release 12: Winter");
  expect(nameOf("99", sources)).toBe("99");
});

it.each([
  ["group", "A&B", "/functionalgroups/manage?name=A%26B&environment=staging"],
  ["message", "Location", "/consumermessages/manage?category=Location&environment=staging"],
  ["vehicle_data", "seat", "/vehicledata?q=seat&environment=staging"],
  ["module_config", "", "/moduleconfig?environment=staging"],
  ["app", "u/1", "/applications/u%2F1"],
] as const)("every kind of item has its editor: %s", (family, key, address) => {
  expect(itemAddress({ family, key }, "staging")).toBe(address);
});
