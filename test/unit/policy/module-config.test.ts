import { describe, expect, it } from "vitest";
import { listOwnEndpoints, ownPaths } from "@/lib/policy/table/own-endpoints";
import type { PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { environments, type Environment } from "@/lib/vocabulary/terms";
import { builtTable } from "@/test/support/answers";
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
