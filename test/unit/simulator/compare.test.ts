import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacer } from "@/lib/platform/process/pacer";
import { listApps } from "@/lib/policy/snapshot/app-index";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { findChangedApps } from "@/lib/simulator/answers/changed-apps";
import { comparePolicies, diffTables } from "@/lib/simulator/answers/compare";
import { buildTableText } from "@/lib/simulator/answers/simulate";
import { compiled } from "@/test/support/answers";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aMessage,
  aMessageLanguage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  aPermission,
  aSnapshot,
  aVehicleDataRecord,
  policyOptions,
} from "@/test/support/builders";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";

const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const staged = <T>(production: readonly T[], staging: readonly T[]) => ({ production, staging });

async function compare(snapshot: Partial<PolicySnapshot>, apps: readonly string[] = []) {
  const whole = aSnapshot(snapshot);
  const [from, to] = [await compiled(whole, "production"), await compiled(whole, "staging")];
  const { sections, apps: compared } = comparePolicies(from, to, apps, () => "Roadtune");
  const ofSection = new Map(sections.map((one) => [one.section, one]));
  return { sections, of: (name: string) => ofSection.get(name)?.changes, apps: compared };
}
const groups = (before: Partial<SnapshotGroup>, after: Partial<SnapshotGroup>) =>
  staged(
    [aBaseGroup(), aGroup({ id: 2, name: "Location", ...before })],
    [aBaseGroup(), aGroup({ id: 3, name: "Location", status: "STAGING", ...after })],
  );

describe("L17: two tables side by side", () => {
  it("L17: a policy and itself are the same, whatever it holds; of environments that hold the same only the address differs", async () => {
    await fc.assert(
      fc.asyncProperty(randomSnapshot, async (snapshot) => {
        const policy = await compiled(snapshot, "staging");
        const { sections, apps } = comparePolicies(policy, policy, [uuid, "__proto__"], () => null);
        expect(sections.flatMap(({ changes }) => changes)).toEqual([]);
        expect(apps.flatMap(({ changes, rights }) => [...changes, ...rights])).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
    const { sections } = await compare({});
    expect(sections.map(({ section, changes }) => [section, changes.length])).toEqual([
      ["module_config", 0],
      ["vehicle_data", 0],
      ["functional_groupings", 0],
      ["consumer_friendly_messages", 0],
      ["app_policies", 0],
    ]);
  });

  it("L17: names the place, both values and the record of a change", async () => {
    const rpc = (...levels: ("FULL" | "LIMITED")[]) => ({ rpcs: [anRpc({ name: "Alert", levels })] });
    const { of } = await compare({ groups: groups(rpc("FULL"), rpc("FULL", "LIMITED")) });
    expect(of("functional_groupings")).toEqual([
      {
        path: "Location.rpcs.Alert.hmi_levels",
        change: "change",
        before: ["FULL"],
        after: ["FULL", "LIMITED"],
        item: { family: "group", key: "Location" },
      },
    ]);
  });

  it("L17: says what cars permit to an app by one of the two tables only, and in which cars", async () => {
    const empty = { isDefault: true, rpcs: [anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters: [] })] };
    const filled = {
      isDefault: true,
      rpcs: [anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps"] })],
    };
    const permissions = [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })];
    const { apps } = await compare({ groups: groups(filled, empty), permissions, rpcSpec: null }, [uuid]);
    // Whoever has no entry of its own gets the default policy.
    expect(apps[0]?.rights).toEqual([
      { rpc: "GetVehicleData", kind: "lost", builds: ["regular", "external"], levels: ["FULL"], parameters: ["gps"] },
    ]);
  });

  it("L17: what is on one side only is one change, and counts", async () => {
    const { sections, of } = await compare({
      groups: staged([aBaseGroup(), aGroup({ id: 2, name: "Old" })], [aBaseGroup(), aGroup({ id: 3, name: "New" })]),
    });
    const section = sections.find((one) => one.section === "functional_groupings");
    expect([section?.added, section?.changed, section?.removed]).toEqual([1, 0, 1]);
    expect(of("functional_groupings")?.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "delete Old",
      "add New",
    ]);
  });

  it("L17: an order that says nothing is no change, one that does is", () => {
    expect(diffTables({ groups: ["a", "b"] }, { groups: ["b", "a"] })).toEqual([]);
    expect(diffTables([{ name: "a", min: 1 }, { name: "b" }], [{ name: "b" }, { name: "a", min: 1 }])).toEqual([]);
    const retries = diffTables({ seconds_between_retries: [1, 5] }, { seconds_between_retries: [5, 1] });
    expect(retries.map(({ path }) => path)).toEqual([["seconds_between_retries"]]);
  });

  it("L17: names that every object has are names like any other", () => {
    const [before, after] = ['{"constructor":{"__proto__":1}}', '{"constructor":{"__proto__":2},"toString":3}'];
    expect(diffTables(JSON.parse(before), JSON.parse(after)).map(({ path, change }) => [change, ...path])).toEqual([
      ["change", "constructor", "__proto__"],
      ["add", "toString"],
    ]);
  });

  it("L17: nothing and null, no list and an empty one are not the same", () => {
    expect(diffTables({ rpcs: null }, { rpcs: {} }).length).toBe(1);
    expect(diffTables({}, { parameters: [] })).toMatchObject([{ change: "add", after: [] }]);
  });

  it("L17: messages, vehicle data and the module config lead to their records", async () => {
    const languages = [aMessageLanguage({ label: "Where" })];
    const { of } = await compare({
      messages: staged([aMessage()], [aMessage({ id: 2, status: "STAGING", languages })]),
      vehicleData: staged([aVehicleDataRecord()], [aVehicleDataRecord({ id: 2, maxValue: 9 })]),
      moduleConfigs: staged([aModuleConfig()], [aModuleConfig({ id: 2, exchangeAfterXDays: 7 })]),
    });
    expect(of("consumer_friendly_messages")).toEqual([
      { path: "version", change: "change", before: "000.000.001", after: "000.000.002", item: null },
      {
        path: "messages.Location.languages.en-us.label",
        change: "change",
        before: "Position",
        after: "Where",
        item: { family: "message", key: "Location" },
      },
    ]);
    expect(of("vehicle_data")).toMatchObject([
      { path: "schema_items.cabinScent.maxvalue", item: { family: "vehicle_data", key: "cabinScent" } },
    ]);
    expect(of("module_config")).toMatchObject([
      { path: "exchange_after_x_days", before: 30, after: 7, item: { family: "module_config", key: "" } },
    ]);
  });

  it("L17: the entries of apps, those that are none of their own included", async () => {
    const version = anAppVersion({ approvalStatus: "STAGING" });
    const { apps } = await compare({ apps: aCatalogue([anApp({ uuid, versions: [version] })]) }, [
      uuid,
      "unknown",
      uuid,
    ]);
    expect(apps.map((app) => [app.uuid, app.name, app.before, app.changes.length])).toEqual([
      [uuid, "Roadtune", "default", 1],
      ["unknown", "Roadtune", "default", 0],
    ]);
    expect(apps[0]?.after).toMatchObject({ nicknames: ["Roadtune"] });
    expect(apps[0]?.changes[0]).toMatchObject({ path: "", change: "change", item: { family: "app", key: uuid } });
  });

  it("L17: holds no private key", async () => {
    const pem = (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`;
    const options = policyOptions({ certificates: { production: pem("one"), staging: `new ${pem("two")}` } });
    const snapshot = aSnapshot();
    const [from, to] = [await compiled(snapshot, "production", options), await compiled(snapshot, "staging", options)];
    const text = JSON.stringify(comparePolicies(from, to, [], () => null));
    expect(text).toContain("new -----REDACTED-----");
    expect(text).not.toMatch(/one|two/);
  });
});

describe("L17a: which apps change", () => {
  const none = () => Promise.resolve();
  /** What a served table says of each app: its entry, and the groups in it. */
  const readServed = (policy: CompiledPolicy, uuids: readonly string[]) => {
    const apps = uuids.map((id) => [id, {}] as const);
    const table = JSON.parse(buildTableText(policy, { apps, fullAppIdSupported: true, isOlder: false }));
    const groupsOf = (entry: { readonly groups?: readonly string[] } | null) =>
      (entry?.groups ?? []).map((name) => table.functional_groupings[name]);
    const entries = new Map<string, any>(Object.entries(table.app_policies));
    return (id: string) => JSON.stringify([entries.get(id), groupsOf(entries.get(id))]);
  };

  it("L17a: the apps are those for which the served tables say something else, whatever is stored", async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(randomSnapshot, randomSnapshot, async (snapshot, other) => {
        // An earlier release: other groups and messages, the same apps.
        const earlier = { ...snapshot, groups: other.groups, messages: other.messages };
        const staging = await compiled(snapshot, "staging");
        const production = await compiled(snapshot, "production");
        const uuids = Array.from(listApps(snapshot.apps), (app) => app.uuid);
        for (const from of [production, await compiled(earlier, "production"), staging]) {
          const found = (await findChangedApps(from, staging, none)).map((app) => app.uuid);
          const [before, after] = [readServed(from, uuids), readServed(staging, uuids)];
          expect(found.toSorted()).toEqual(uuids.filter((id) => before(id) !== after(id)).sort());
          changes += found.length;
        }
      }),
      { numRuns: 200 },
    );
    expect(changes).toBeGreaterThan(atLeast(200));
  });

  it("L17a: 10,000 apps let others take their turn", async () => {
    const version = anAppVersion({ approvalStatus: "STAGING" });
    const apps = Array.from({ length: 10_000 }, (_, at) => anApp({ uuid: `app-${at}`, versions: [version] }));
    const whole = aSnapshot({ apps: aCatalogue(apps) });
    const [from, to] = [await compiled(whole, "production"), await compiled(whole, "staging")];
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const found = await findChangedApps(from, to, createPacer());
    clearInterval(counting);
    expect(found).toHaveLength(10_000);
    expect(turns).toBeGreaterThan(10);
  });
});
