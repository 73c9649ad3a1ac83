import { describe, expect, it } from "vitest";
import { listOwnEndpoints, ownPaths } from "@/lib/policy/table/own-endpoints";
import type { PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { environments, type Environment } from "@/lib/vocabulary/terms";
import { answerText, builtTable, compiled, shortenedTable } from "@/test/support/answers";
import { aModuleConfig, aSnapshot, inBothViews, policyOptions } from "@/test/support/builders";

interface Asked {
  readonly environment?: Environment;
  readonly options?: Partial<PolicyOptions>;
}

async function section(config: Partial<SnapshotModuleConfig> = {}, { options, ...asked }: Asked = {}) {
  const snapshot = aSnapshot({ moduleConfigs: inBothViews(aModuleConfig(config)) });
  return (await builtTable(snapshot, { ...asked, options: policyOptions(options) })).module_config;
}

it.each(environments)("M3: the endpoint 0x07 leads back to the %s route of this server", async (environment) => {
  const options = { publicBaseUrl: "https://policy.example.com:8443/base" };
  const { endpoints } = await section({}, { environment, options });
  expect(endpoints["0x07"]).toEqual({ default: [`https://policy.example.com:8443/base/api/v1/${environment}/policy`] });
});

describe("F12, M4: this server's own addresses follow the public base URL", () => {
  const paths = Object.entries(ownPaths);
  const under = (base: string) => ({
    ...aModuleConfig().endpoints,
    ...Object.fromEntries(paths.map(([name, path]) => [name, `${base}${path}`])),
  });
  const served = async (config: Partial<SnapshotModuleConfig>) => {
    const { endpoints } = await section(config, { options: { publicBaseUrl: "https://new.example.com" } });
    return paths.map(([name, path]) => endpoints[name].default[0].replace(path, ""));
  };

  it("where they are noted as such, whatever address they had", async () => {
    const ownEndpoints = listOwnEndpoints(under("https://old.example.com"), "https://old.example.com");
    expect(await served({ endpoints: under("https://old.example.com"), ownEndpoints })).toEqual(
      paths.map(() => "https://new.example.com"),
    );
  });

  it.each(["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8080"])(
    "where a version that did not note it was first started as %s",
    async (base) =>
      expect(await served({ endpoints: under(base) })).toEqual(paths.map(() => "https://new.example.com")),
  );

  it.each([
    ["an address of another host", "https://old.example.com", undefined],
    ["a host that begins like loopback", "http://localhost.example.com", undefined],
    ["loopback, entered later", "http://localhost:3000", []],
  ])("but not %s", async (_, base, ownEndpoints) => {
    const config = { endpoints: under(base), ...(ownEndpoints && { ownEndpoints }) };
    expect(await served(config)).toEqual(paths.map(() => base));
  });

  it("and of others only those that are exactly this server's own", () => {
    const endpoints = { ...under("https://new.example.com"), "0x04": "https://new.example.com/update" };
    expect(listOwnEndpoints(endpoints, "https://new.example.com")).toEqual(["queryAppsUrl", "lock_screen_icon_url"]);
  });
});

it("M12: RPC priorities are a section of their own, only if there is one, and not for older head units", async () => {
  const textOf = async (rpcPriorityTable: SnapshotModuleConfig["rpcPriorityTable"], isOlder = false) => {
    const config = aModuleConfig({ ...(rpcPriorityTable && { rpcPriorityTable }) });
    const policy = await compiled(aSnapshot({ moduleConfigs: inBothViews(config) }), "production");
    return answerText(policy, { ...shortenedTable({}), ...(isOlder && { module_config: {} }) });
  };
  const filled = [
    { map: "hmi_status_priority", name: "FULL", priority: 0 },
    { map: "rpc_priority", name: "UI.Alert", priority: 2 },
  ] as const;
  const section = '"rpc_priority_table":{"rpc_priority":{"UI.Alert":2},"hmi_status_priority":{"FULL":0}},';
  const plain = await textOf(undefined);
  expect(plain).not.toContain("rpc_priority");
  expect(await textOf([])).toBe(plain);
  expect(await textOf(filled)).toBe(plain.replace('"vehicle_data"', `${section}"vehicle_data"`));
  expect(await textOf(filled, true)).toBe(await textOf(undefined, true));
});
