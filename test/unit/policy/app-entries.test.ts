import { describe, expect, it } from "vitest";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { hmiTextLevels, hybridPreferences } from "@/lib/labels/vocabulary";
import { answerText, builtTable, compiled, entryOf, shortenedTable } from "@/test/support/answers";
import { aCatalogue, anApp, anAppVersion, aPermission, aService, aSnapshot } from "@/test/support/builders";

const id = "11111111aa";
const versionOf = (
  version: Partial<SnapshotAppVersion>,
  app: Partial<SnapshotApp> = {},
  permissions = [aPermission()],
) => entryOf(anApp({ versions: [anAppVersion(version)], ...app }), { snapshot: { permissions } });

describe("A6 to A11: the object of a granted app", () => {
  const everything = () =>
    versionOf(
      {
        permissions: [{ key: "CLIMATE", hmiLevel: "HMI_FULL" }],
        iconUrl: "https://cdn.example.com/i.png",
        cloudEndpoint: "wss://cloud.example.com",
        cloudTransportType: "WSS",
        caCertificate: "-----BEGIN CERTIFICATE-----\n",
      },
      { hybridAppPreference: "BOTH" },
      [aPermission({ name: "CLIMATE", type: "MODULE" })],
    );

  it("A6: members stand in order", async () => {
    expect(Object.keys(await everything())).toEqual([
      ...["AppHMIType", "nicknames", "keep_context", "steal_focus", "priority", "default_hmi", "groups", "moduleType"],
      ...["RequestType", "RequestSubType", "app_services", "allow_unknown_rpc_passthrough", "encryption_required"],
      ...["icon_url", "endpoint", "cloud_transport_type", "certificate", "hybrid_app_preference"],
    ]);
  });

  it("A12: echoed members come last", async () => {
    const entry = await entryOf(anApp(), { sent: { auth_token: "t", enabled: true } });
    expect(Object.keys(entry).slice(-2)).toEqual(["enabled", "auth_token"]);
  });

  it("A6: constants", async () => {
    const entry = await everything();
    expect(entry).toMatchObject({ keep_context: true, priority: "NONE", RequestType: [], RequestSubType: [] });
  });

  it("A6: AppHMIType has the category names, ascending by id, without nameless ones", async () => {
    const categories = [
      { id: 9, name: "MEDIA" },
      { id: 2, name: null },
      { id: 3, name: "SYSTEM" },
      { id: 10, name: "" },
      { id: 1, name: "TESTING" },
    ];
    expect((await versionOf({ categories })).AppHMIType).toEqual(["TESTING", "SYSTEM", "MEDIA"]);
    expect((await versionOf({ categories: [] })).AppHMIType).toEqual([]);
  });

  it("A6: nicknames are the display names in stored order", async () => {
    expect((await versionOf({ displayNames: ["Zed", "Abc", "Zed 2"] })).nicknames).toEqual(["Zed", "Abc", "Zed 2"]);
    expect((await versionOf({ displayNames: [] })).nicknames).toEqual([]);
  });

  it.each([true, false])("A6: steal_focus is %s as stored", async (canStealFocus) => {
    expect((await versionOf({ canStealFocus })).steal_focus).toBe(canStealFocus);
  });

  it.each(hmiTextLevels)("A6: default_hmi is %s without its prefix", async (defaultHmiLevel) => {
    expect(`HMI_${(await versionOf({ defaultHmiLevel })).default_hmi}`).toBe(defaultHmiLevel);
  });

  describe("A6: moduleType", () => {
    const types = [
      aPermission({ name: "RADIO", type: "MODULE" }),
      aPermission({ name: "CLIMATE", type: "MODULE" }),
      aPermission({ name: "SEAT", type: "MODULE" }),
      aPermission({ name: "gps", type: "PARAMETER" }),
    ];
    const asking = (...keys: string[]) => ({ permissions: keys.map((key) => ({ key, hmiLevel: null })) });

    it("A6: has the requested keys of type MODULE, ascending, each once, with or without level", async () => {
      const { permissions } = asking("SEAT", "gps", "CLIMATE", "Show");
      const withLevel = [...permissions, { key: "CLIMATE", hmiLevel: "HMI_FULL" as const }];
      expect((await versionOf({ permissions: withLevel }, {}, types)).moduleType).toEqual(["CLIMATE", "SEAT"]);
    });

    it("A6: is omitted when there is none, because an empty list would allow all", async () => {
      expect(await versionOf(asking("gps", "AUDIO"), {}, types)).not.toHaveProperty("moduleType");
      expect(await versionOf({}, {}, types)).not.toHaveProperty("moduleType");
    });
  });

  describe("A7: app_services", () => {
    const permissions = [
      aPermission({ name: "b", functionId: 2 }),
      aPermission({ name: "A", functionId: 30 }),
      aPermission({ name: "a", functionId: 1 }),
      aPermission({ name: "zero", functionId: 0 }),
      aPermission({ name: "none", functionId: null }),
    ];
    const servicesOf = async (...services: Parameters<typeof aService>[0][]) =>
      (await versionOf({ services: services.map((service) => aService(service)) }, {}, permissions)).app_services;

    it("A7: is an empty object when none", async () => {
      expect(await servicesOf()).toEqual({});
    });

    it("A7: ascends by type name", async () => {
      const services = await servicesOf({ name: "WEATHER" }, { name: "MEDIA" }, { name: "NAVIGATION" });
      expect(Object.keys(services)).toEqual(["MEDIA", "NAVIGATION", "WEATHER"]);
    });

    it("A7: service_names ascend; a service without name or selection has empty lists", async () => {
      const services = await servicesOf({ serviceNames: ["b", "B", "a"] }, { name: "WEATHER" });
      expect(services).toEqual({
        MEDIA: { service_names: ["B", "a", "b"], handled_rpcs: [{ function_id: 0 }] },
        WEATHER: { service_names: [], handled_rpcs: [{ function_id: 0 }] },
      });
    });

    it("A7: handled_rpcs are one per selected permission, by permission name", async () => {
      const { MEDIA } = await servicesOf({ selectedPermissions: ["b", "zero", "a", "A"] });
      expect(MEDIA.handled_rpcs).toEqual([30, 1, 2, 0].map((function_id) => ({ function_id })));
    });

    it("A7: a permission without function id, or unknown, is skipped", async () => {
      const { MEDIA } = await servicesOf({ selectedPermissions: ["none", "b", "gone"] });
      expect(MEDIA.handled_rpcs).toEqual([{ function_id: 2 }]);
    });
  });

  it.each([true, false])("A8: allow_unknown_rpc_passthrough is %s as flagged", async (flag) => {
    const entry = await versionOf({}, { allowUnknownRpcPassthrough: flag });
    expect(entry.allow_unknown_rpc_passthrough).toBe(flag);
  });

  it.each([true, false])("A9: encryption_required is %s as the record has it", async (encryptionRequired) => {
    expect((await versionOf({ encryptionRequired })).encryption_required).toBe(encryptionRequired);
  });

  it.each([
    ["icon_url", "iconUrl"],
    ["endpoint", "cloudEndpoint"],
    ["cloud_transport_type", "cloudTransportType"],
    ["certificate", "caCertificate"],
  ])("A10: %s is the stored %s, omitted when null or empty", async (member, stored) => {
    expect((await versionOf({ [stored]: "text" }))[member]).toBe("text");
    for (const nothing of [null, ""]) expect(await versionOf({ [stored]: nothing })).not.toHaveProperty(member);
  });

  it.each(hybridPreferences)("A11: hybrid_app_preference is %s when stored", async (hybridAppPreference) => {
    expect((await versionOf({}, { hybridAppPreference })).hybrid_app_preference).toBe(hybridAppPreference);
  });

  it("A11: hybrid_app_preference has no default", async () => {
    expect(await versionOf({}, { hybridAppPreference: null })).not.toHaveProperty("hybrid_app_preference");
  });
});

describe("A12: echoed members", () => {
  it("A12: go into the entry of their own id only", async () => {
    const second = anApp({ uuid: "2", versions: [anAppVersion({ id: 2, shortUuid: "22222222aa" })] });
    const snapshot = aSnapshot({ apps: aCatalogue([anApp(), second]) });
    const apps = { [id]: { auth_token: "one" }, "22222222aa": { enabled: false }, other: { auth_token: "lost" } };
    const { app_policies } = await builtTable(snapshot, { apps });
    expect(app_policies[id]).toMatchObject({ auth_token: "one" });
    expect(app_policies[id]).not.toHaveProperty("enabled");
    expect(app_policies["22222222aa"]).toMatchObject({ enabled: false });
    expect(app_policies["22222222aa"]).not.toHaveProperty("auth_token");
    expect(app_policies.other).toBe("default");
  });

  it.each([null, "text", [], { enabled: "true", auth_token: 5 }, { auth_token: "\ud800" }, { enabled: null }])(
    "A12: %j gives the entry without them",
    async (sent) => {
      expect(await entryOf(anApp(), { sent })).toEqual(await entryOf(anApp()));
    },
  );

  it("A12: a token comes back unchanged", async () => {
    for (const auth_token of ["", 'a"b\\c\n', "ü\u{1f600}", "x".repeat(65_535)]) {
      expect((await entryOf(anApp(), { sent: { auth_token } })).auth_token).toBe(auth_token);
    }
  });

  it("A12: an own member __proto__ of the request is not looked through", async () => {
    const table = JSON.parse(`{"${id}":{"__proto__":{"enabled":true,"auth_token":"t"}}}`);
    const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
    expect(answerText(policy, shortenedTable(table))).toBe(answerText(policy, shortenedTable({ [id]: {} })));
  });
});
