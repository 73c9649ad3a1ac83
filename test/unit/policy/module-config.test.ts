import { describe, expect, it } from "vitest";
import { buildModuleConfig } from "@/lib/policy/table/module-config";
import { listOwnEndpoints, ownPaths } from "@/lib/policy/table/own-endpoints";
import type { EndpointProperty, PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { environments, notificationPriorities, storedEndpoints, type Environment } from "@/lib/labels/vocabulary";
import { builtTable } from "@/test/support/answers";
import { aModuleConfig, aSnapshot, inBothViews, policyOptions } from "@/test/support/builders";

interface Asked {
  readonly environment?: Environment;
  readonly options?: Partial<PolicyOptions>;
  readonly fullAppIdSupported?: boolean;
}

/** The section as a vehicle gets it, checked as a head unit checks it. */
async function section(config: Partial<SnapshotModuleConfig> = {}, { options, ...asked }: Asked = {}) {
  const snapshot = aSnapshot({ moduleConfigs: inBothViews(aModuleConfig(config)) });
  return (await builtTable(snapshot, { ...asked, options: policyOptions(options) })).module_config;
}

const mappingUrl = "https://cdn.example.com/mapping.json";
const withMapping = { ...aModuleConfig().endpoints, custom_vehicle_data_mapping_url: mappingUrl };
const aProperty = (partial: Partial<EndpointProperty> = {}): EndpointProperty => ({
  endpoint: "custom_vehicle_data_mapping_url",
  name: "version",
  value: "1.0.0",
  ...partial,
});

it("M1: full_app_id_supported is a boolean and comes first", async () => {
  for (const fullAppIdSupported of [true, false]) {
    const built = await section({}, { fullAppIdSupported });
    expect(Object.entries(built)[0]).toEqual(["full_app_id_supported", fullAppIdSupported]);
  }
});

it("M2: plain members are sent as stored, retries in stored order", async () => {
  const built = await section({
    exchangeAfterXIgnitionCycles: 11,
    exchangeAfterXKilometers: 12,
    exchangeAfterXDays: 13,
    timeoutAfterXSeconds: 14,
    secondsBetweenRetries: [625, 1, 125, 1],
    lockScreenDismissalEnabled: false,
  });
  expect(built).toMatchObject({
    exchange_after_x_ignition_cycles: 11,
    exchange_after_x_kilometers: 12,
    exchange_after_x_days: 13,
    timeout_after_x_seconds: 14,
    seconds_between_retries: [625, 1, 125, 1],
    lock_screen_dismissal_enabled: false,
  });
});

it.each(environments)("M3: the endpoint 0x07 leads back to the %s route of this server", async (environment) => {
  const options = { publicBaseUrl: "https://policy.example.com:8443/base" };
  const { endpoints } = await section({}, { environment, options });
  expect(endpoints["0x07"]).toEqual({ default: [`https://policy.example.com:8443/base/api/v1/${environment}/policy`] });
});

it("M4: stored addresses each stand in a default list", async () => {
  const { endpoints } = await section();
  expect(endpoints["0x04"]).toEqual({ default: ["https://policy.example.com/update"] });
  expect(endpoints.queryAppsUrl).toEqual({ default: ["https://policy.example.com/apps"] });
  expect(endpoints.lock_screen_icon_url).toEqual({ default: ["https://cdn.example.com/lock.png"] });
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
    async (base) => {
      expect(await served({ endpoints: under(base) })).toEqual(paths.map(() => "https://new.example.com"));
    },
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

describe("M5: the address of the custom vehicle data mapping", () => {
  it("M5: is sent when stored", async () => {
    const { endpoints } = await section({ endpoints: withMapping });
    expect(endpoints.custom_vehicle_data_mapping_url).toEqual({ default: [mappingUrl] });
    expect(Object.keys(endpoints)).toEqual(["0x07", ...storedEndpoints]);
  });

  it("M5: is omitted when empty", async () => {
    const { endpoints } = await section();
    expect(Object.keys(endpoints)).toEqual(["0x07", "0x04", "queryAppsUrl", "lock_screen_icon_url"]);
  });
});

describe("M6: endpoint properties", () => {
  it("M6: is an empty object without properties", async () => {
    expect((await section({ endpoints: withMapping })).endpoint_properties).toEqual({});
  });

  it("M6: holds the properties of endpoints that are present, as text", async () => {
    const endpointProperties = [
      aProperty({ endpoint: "queryAppsUrl", name: "region", value: "eu" }),
      aProperty(),
      aProperty({ name: "checksum", value: "77" }),
    ];
    expect((await section({ endpoints: withMapping, endpointProperties })).endpoint_properties).toEqual({
      queryAppsUrl: { region: "eu" },
      custom_vehicle_data_mapping_url: { version: "1.0.0", checksum: "77" },
    });
  });

  it("M6: leaves out empty values, and an endpoint left without properties", async () => {
    const endpointProperties = [
      aProperty({ endpoint: "0x04", name: "version", value: "" }),
      aProperty({ endpoint: "queryAppsUrl", name: "a", value: "" }),
      aProperty({ endpoint: "queryAppsUrl", name: "b", value: "1" }),
    ];
    expect((await section({ endpointProperties })).endpoint_properties).toEqual({ queryAppsUrl: { b: "1" } });
  });

  it("M6: leaves out the properties of an endpoint that is not present", async () => {
    expect((await section({ endpointProperties: [aProperty()] })).endpoint_properties).toEqual({});
  });

  it.each(["", null])("M6: leaves out the mapping when its version is %j", async (version) => {
    const checksum = aProperty({ name: "checksum", value: "77" });
    const endpointProperties = version === null ? [checksum] : [aProperty({ value: version }), checksum];
    expect((await section({ endpoints: withMapping, endpointProperties })).endpoint_properties).toEqual({});
  });

  it("M6: another endpoint needs no version", async () => {
    const endpointProperties = [aProperty({ endpoint: "lock_screen_icon_url", name: "size", value: "2" })];
    const { endpoint_properties } = await section({ endpointProperties });
    expect(endpoint_properties).toEqual({ lock_screen_icon_url: { size: "2" } });
  });
});

it("M7: both notification maps have all seven members in order", async () => {
  const map = (first: number) => ({
    NONE: first,
    NORMAL: first + 1,
    COMMUNICATION: first + 2,
    VOICECOM: first + 3,
    PROJECTION: first + 4,
    NAVIGATION: first + 5,
    EMERGENCY: first + 6,
  });
  const built = await section({ notificationsPerMinute: map(0), subtleNotificationsPerMinute: map(50) });
  expect(built.notifications_per_minute_by_priority).toEqual(map(0));
  expect(built.subtle_notifications_per_minute_by_priority).toEqual(map(50));
  const order = ["EMERGENCY", "NAVIGATION", "PROJECTION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"];
  expect(notificationPriorities).toEqual(order);
  expect(Object.keys(built.notifications_per_minute_by_priority)).toEqual(order);
  expect(Object.keys(built.subtle_notifications_per_minute_by_priority)).toEqual(order);
});

describe("M8, M10: the certificate", () => {
  it.each(environments)("M8, M10: is the text computed for %s", async (environment) => {
    const certificate = `-----BEGIN CERTIFICATE-----\n"${environment}"\n-----END PRIVATE KEY-----\n`;
    const certificates = { staging: null, production: null, [environment]: certificate };
    expect((await section({}, { environment, options: { certificates } })).certificate).toBe(certificate);
  });

  it.each(environments)("M8, M10: is omitted when there is none for %s", async (environment) => {
    const certificates = { staging: "other", production: "other", [environment]: null };
    expect(await section({}, { environment, options: { certificates } })).not.toHaveProperty("certificate");
  });
});

it("M9: holds nothing else", async () => {
  const certificates = { staging: null, production: "text" };
  const stored = { ...aModuleConfig(), preloadedPt: true, vehicle_make: "M", vehicleModel: "V", vehicle_year: "2026" };
  const built = await section(stored, { options: { certificates } });
  expect(Object.keys(built)).toEqual([
    "full_app_id_supported",
    "exchange_after_x_ignition_cycles",
    "exchange_after_x_kilometers",
    "exchange_after_x_days",
    "timeout_after_x_seconds",
    "seconds_between_retries",
    "lock_screen_dismissal_enabled",
    "endpoints",
    "endpoint_properties",
    "notifications_per_minute_by_priority",
    "subtle_notifications_per_minute_by_priority",
    "certificate",
  ]);
});

it("M10: building does not change the stored record", () => {
  const config = aModuleConfig({ endpointProperties: [aProperty()], endpoints: withMapping });
  const before = structuredClone(config);
  buildModuleConfig(config, "production", policyOptions({ certificates: { staging: "a", production: "b" } }), true);
  expect(config).toEqual(before);
});
