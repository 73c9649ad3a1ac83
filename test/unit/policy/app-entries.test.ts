import { describe, expect, it } from "vitest";
import type { SnapshotAppVersion, SnapshotPermission } from "@/lib/policy/table/snapshot";
import { answerText, builtTable, compiled, entryOf, shortenedTable } from "@/test/support/answers";
import { aCatalogue, anApp, anAppVersion, aPermission, aService, aSnapshot } from "@/test/support/builders";

const id = "11111111aa";
const versionOf = (version: Partial<SnapshotAppVersion>, permissions: readonly SnapshotPermission[]) =>
  entryOf(anApp({ versions: [anAppVersion(version)] }), { snapshot: { permissions } });

describe("A6 to A11: the object of a granted app", () => {
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
      expect((await versionOf({ permissions: withLevel }, types)).moduleType).toEqual(["CLIMATE", "SEAT"]);
    });

    it("A6, T17: is omitted when there is none, because an empty list would allow all", async () => {
      expect(await versionOf(asking("gps", "AUDIO"), types)).not.toHaveProperty("moduleType");
      expect(await versionOf({}, types)).not.toHaveProperty("moduleType");
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
      (await versionOf({ services: services.map((service) => aService(service)) }, permissions)).app_services;

    it("A7: handled_rpcs are one per selected permission, by permission name", async () => {
      const { MEDIA } = await servicesOf({ selectedPermissions: ["b", "zero", "a", "A"] });
      expect(MEDIA.handled_rpcs).toEqual([30, 1, 2, 0].map((function_id) => ({ function_id })));
    });

    it("A7: a permission without function id, or unknown, is skipped", async () => {
      const { MEDIA } = await servicesOf({ selectedPermissions: ["none", "b", "gone"] });
      expect(MEDIA.handled_rpcs).toEqual([{ function_id: 2 }]);
    });
  });
});

describe("A12: echoed members", () => {
  it("A12, T13: go into the entry of their own id only", async () => {
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

  it("A12: an own member __proto__ of the request is not looked through", async () => {
    const table = JSON.parse(`{"${id}":{"__proto__":{"enabled":true,"auth_token":"t"}}}`);
    const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
    expect(answerText(policy, shortenedTable(table))).toBe(answerText(policy, shortenedTable({ [id]: {} })));
  });
});
