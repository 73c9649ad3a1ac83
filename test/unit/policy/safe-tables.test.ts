import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTableFindings } from "@/lib/policy/checks/promotion-check";
import { isBlocking } from "@/lib/policy/checks/table-faults";
import { findInShared, sharedTable } from "@/lib/policy/checks/findings";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { decodeSnapshot, encodeSnapshot } from "@/lib/policy/saved/snapshot-parts";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { defaultRetries, environments, hmiLevels, neededRpcs, updateRpcs } from "@/lib/vocabulary/terms";
import seededConfig from "@/seed/module-config.json";
import { answerText, answeredTable, compiled, reportsOf, shortenedTable } from "@/test/support/answers";
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
  aService,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";
import { refusalsOfCore45 } from "@/test/support/core-45";
import { runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";
import { seedApps, seedSnapshot, seedUuid } from "@/test/support/seed-snapshot";

const shortIds = ["11111111aa", "22222222aa", "33333333aa", "1234567890"];
const uuids = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002"];
const ask = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, {}]));
const olderTable = (ids: readonly string[]) => ({ ...shortenedTable(ask(ids)), module_config: {} });
const tableOf = (text: string) => JSON.parse(text).data[0].policy_table;

const unsafeSnapshot: fc.Arbitrary<PolicySnapshot> = fc
  .tuple(randomSnapshot, fc.constantFrom("Base", "Location", "gps", "Show", "en-us", "cabinScent", "5.0"), fc.boolean())
  .map(([{ apps, ...snapshot }, word, hasRetries]) => {
    const broken = JSON.parse(JSON.stringify(snapshot).replaceAll(word, `${word.slice(0, 2)}\\u0000${word.slice(2)}`));
    for (const config of [...broken.moduleConfigs.staging, ...broken.moduleConfigs.production]) {
      if (!hasRetries) config.secondsBetweenRetries = [];
    }
    return { ...broken, apps };
  });

describe("G12: no table ends the updates of a car, whatever is stored", () => {
  it.each(environments)("in %s, for every kind of request", async (environment) => {
    await fc.assert(
      fc.asyncProperty(unsafeSnapshot, async (snapshot) => {
        const policy = await compiled(snapshot, environment);
        const requests = [shortenedTable(ask(shortIds)), shortenedTable(ask(uuids), true), olderTable(shortIds)];
        for (const request of requests) {
          const findings = checkPolicyTable(tableOf(answerText(policy, request)));
          expect(findings.filter(({ severity }) => severity === "stranded")).toEqual([]);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("C6: a service without permissions handles the reserved RPC", async () => {
    const services = [aService({ name: "WEATHER" }), aService({ name: "MEDIA", selectedPermissions: ["Show"] })];
    const apps = aCatalogue([anApp({ versions: [anAppVersion({ services })] })]);
    const snapshot = aSnapshot({ apps, permissions: [aPermission({ functionId: 12 })] });
    const entry = answeredTable(await compiled(snapshot, "production"), shortenedTable(ask(shortIds)));
    expect(entry.app_policies["11111111aa"].app_services).toEqual({
      MEDIA: { service_names: [], handled_rpcs: [{ function_id: 12 }] },
      WEATHER: { service_names: [], handled_rpcs: [{ function_id: 0 }] },
    });
  });

  it("C7: the list of retries of the first data stands for an empty one", async () => {
    expect(defaultRetries).toEqual(seededConfig.module_config.seconds_between_retries);
    const snapshot = aSnapshot({ moduleConfigs: inBothViews(aModuleConfig({ secondsBetweenRetries: [] })) });
    const { module_config } = answeredTable(await compiled(snapshot, "production"), shortenedTable({}));
    expect(module_config.seconds_between_retries).toEqual(defaultRetries);
  });

  it("C10: names and texts are the same everywhere without their NULs, and nicknames limit the app still", async () => {
    const snapshot = aSnapshot({
      groups: inBothViews(aBaseGroup({ name: "Ba\0se", userConsentPrompt: "Loc\0ation" })),
      messages: inBothViews(aMessage({ category: "Loc\0ation", languages: [aMessageLanguage({ label: "a\\\0\0b" })] })),
      vehicleData: inBothViews(aVehicleDataRecord({ name: "cabin\0Scent" })),
      apps: aCatalogue([anApp({ versions: [anAppVersion({ displayNames: ["\0"] })] })]),
    });
    const table = answeredTable(await compiled(snapshot, "production"), shortenedTable(ask([...shortIds, "a\0b"])));
    expect(table.functional_groupings).toMatchObject({ "Ba?se": { user_consent_prompt: "Loc?ation" } });
    expect(table.consumer_friendly_messages.messages["Loc?ation"].languages["en-us"].label).toBe("a\\??b");
    expect(table.vehicle_data.schema_items).toEqual([]);
    expect(table.app_policies["11111111aa"]).toMatchObject({ nicknames: ["?"], groups: ["Ba?se"] });
    expect(Object.keys(table.app_policies)).not.toContain("a\0b");
    expect(table.app_policies.default.groups).toEqual(["Ba?se"]);
  });

  it("says so in one line a compilation, and as findings", async () => {
    const snapshot = aSnapshot({
      groups: inBothViews(aBaseGroup({ name: "Ba\0se" })),
      moduleConfigs: inBothViews(aModuleConfig({ secondsBetweenRetries: [] })),
    });
    expect(await reportsOf(snapshot, "staging")).toEqual([
      expect.stringMatching(/^module_config\.seconds_between_retries: replaced, .*\(and \d+ more\)/),
    ]);
    const { beyond } = findInShared(await compiled(snapshot, "staging"));
    expect(beyond.filter(isUnfit)).toMatchObject([
      { severity: "stranded", build: "external", rule: "C7 seconds_between_retries" },
      { severity: "stranded", build: "external", path: String.raw`functional_groupings["Ba\u0000se"].name` },
    ]);
    expect(await reportsOf(aSnapshot({ groups: inBothViews(aBaseGroup()) }), "staging")).toEqual([]);
  });
});

/** Random states with a base group that has the needed RPCs at random levels, and sometimes a veto (C1). */
const levels = fc.subarray([...hmiLevels]);
const perhapsSilent = fc
  .tuple(randomSnapshot, fc.tuple(levels, levels, levels), fc.constantFrom("", ...neededRpcs))
  .map(([snapshot, sets, vetoed]): PolicySnapshot => {
    const rpcs = neededRpcs.map((name, at) => anRpc({ name, levels: sets[at] ?? [] }));
    const veto = { ...aGroup({ name: "Veto", isDefault: true }), rpcs: [anRpc({ name: vetoed, levels: ["FULL"] })] };
    const groups = [aBaseGroup({ name: "Needed", rpcs }), ...(vetoed === "" ? [] : [veto])];
    const restricted = aPermission({ name: "none", type: "PARAMETER", parents: [vetoed] });
    const { production, staging } = snapshot.groups;
    return {
      ...snapshot,
      groups: { staging: [...staging, ...groups], production: [...production, ...groups] },
      permissions: [...snapshot.permissions, restricted],
    };
  });

describe("G10: no publishable table without a way to the next one", () => {
  const sendable = (table: any, rpc: string) => {
    const groups = table.app_policies.default.groups.map((name: string) => table.functional_groupings[name]);
    const listed = groups.flatMap(({ rpcs }: any) => (Object.hasOwn(rpcs ?? {}, rpc) ? [rpcs[rpc]] : []));
    const isVetoed = listed.some(({ parameters }: any) => parameters?.length === 0);
    return !isVetoed && listed.some(({ hmi_levels: some }: any) => some.includes("NONE"));
  };

  it("whatever is stored: production is faulty exactly where no app can bring an update", () =>
    fc.assert(
      fc.asyncProperty(perhapsSilent, async (snapshot) => {
        const found = findTableFindings(snapshot, "production").filter(isBlocking);
        const table = tableOf(answerText(await compiled(snapshot, "production"), shortenedTable({})));
        const forbidden = updateRpcs.filter((rpc) => !sendable(table, rpc));
        const told = found.filter(({ rule }) => rule === "G10 next update").map(({ message }) => message);
        expect(told).toEqual(forbidden.map((rpc) => expect.stringContaining(` ${rpc} `)));
      }),
      { numRuns: runs(2000) },
    ));

  it("the first data passes, with all its apps", async () => {
    const snapshot = await seedSnapshot(await seedApps(10));
    for (const environment of environments) {
      expect(findTableFindings(snapshot, environment).filter(isBlocking)).toEqual([]);
    }
  });
});

const everyId = [...shortIds, ...uuids].flatMap((id) => [id, id.toUpperCase()]);

it("A2, A3: a blocked app: is null under each of its ids, whichever kind the request is of", async () => {
  let met = 0;
  await fc.assert(
    fc.asyncProperty(randomSnapshot, fc.constantFrom(...environments), async (snapshot, environment) => {
      const blockedBy = (id: string, isLong: boolean) => {
        const named = isLong ? snapshot.apps.byUuid(id.toLowerCase()) : undefined;
        return named === undefined ? snapshot.apps.byShortId(id.toLowerCase()) : [named];
      };
      const policy = await compiled(snapshot, environment);
      for (const isLong of [false, true]) {
        const entries = tableOf(answerText(policy, shortenedTable(ask(everyId), isLong))).app_policies;
        const blocked = everyId.filter((id) => blockedBy(id, isLong).some((app) => app.isBlacklisted));
        expect(blocked.filter((id) => entries[id] !== null)).toEqual([]);
        met += blocked.length;
      }
    }),
    { numRuns: runs(2000) },
  );
  expect(met).toBeGreaterThan(0);
});

describe("R8: requests without full_app_id_supported, of Core 4.5 and older", () => {
  const webView = anAppVersion({ categories: ["WEB_VIEW", "MEDIA", "NEWER"].map((name, id) => ({ id, name })) });
  const parameters = (name: string, ...list: readonly string[]) => anRpc({ name, parameters: list });
  const snapshot = aSnapshot({
    groups: inBothViews(
      aBaseGroup({
        rpcs: [
          ...aBaseGroup().rpcs,
          parameters("GetVehicleData", "gps", "seatOccupancy"),
          parameters("OnVehicleData", "seatOccupancy"),
          parameters("SubscribeVehicleData"),
        ],
      }),
      aBaseGroup({ name: "New", rpcs: [parameters("OnVehicleData", "fuelRange")] }),
    ),
    permissions: ["GetVehicleData", "OnVehicleData", "SubscribeVehicleData"].map((parent) =>
      aPermission({ name: "gps", type: "PARAMETER", parents: [parent] }),
    ),
    apps: aCatalogue([anApp({ versions: [webView] })]),
  });

  it("F8, M11, A31: get parameters, priorities and HMI types that both builds of Core 4.5 know", async () => {
    const table = answeredTable(await compiled(snapshot, "production"), olderTable(shortIds));
    expect(refusalsOfCore45(table)).toEqual([]);
    const { Base, New } = table.functional_groupings;
    expect(Base.rpcs.GetVehicleData.parameters).toEqual(["gps"]);
    // An empty list would be a veto, and none would allow all.
    expect(Object.keys(Base.rpcs)).toEqual(["GetVehicleData", ...neededRpcs, "Show"].toSorted());
    expect(Base.rpcs.Show).not.toHaveProperty("parameters");
    expect(New.rpcs).toBeNull();
    const { module_config, app_policies } = table;
    expect(Object.keys(module_config.notifications_per_minute_by_priority)).toEqual(
      ["EMERGENCY", "NAVIGATION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"], //
    );
    expect(module_config.full_app_id_supported).toBe(false);
    expect(app_policies["11111111aa"].AppHMIType).toEqual(["MEDIA"]);
  });

  it.each([true, false, null, 0, ""])("a request that says %j is not one of them", async (said) => {
    const table = answeredTable(await compiled(snapshot, "production"), shortenedTable(ask(shortIds), said));
    expect(refusalsOfCore45(table)).not.toEqual([]);
    expect(table.functional_groupings.Base.rpcs.OnVehicleData.parameters).toEqual(["seatOccupancy"]);
  });

  it("shares the entries that are the same, and keeps them over revisions", async () => {
    const plain = anApp({ uuid: uuids[1] ?? "", versions: [anAppVersion({ id: 2, shortUuid: "22222222aa" })] });
    const policy = await compiled(
      { ...snapshot, apps: aCatalogue([anApp({ versions: [webView] }), plain]) },
      "staging",
    );
    expect(policy.entryOf("22222222aa", false, true)).toBe(policy.entryOf("22222222aa", false));
    expect(policy.entryOf("11111111aa", false, true)).not.toBe(policy.entryOf("11111111aa", false));
    expect(policy.entryOf("11111111aa", false, true)).toBe(policy.entryOf("11111111aa", false, true));
  });

  it("are refused nothing of the first data and its apps; others would be", async () => {
    const apps = await seedApps(40);
    const policy = await compiled(await seedSnapshot(apps), "production");
    const ids = apps.flatMap((app) => app.shortIds.map(({ shortId }) => shortId));
    expect(refusalsOfCore45(answeredTable(policy, olderTable(ids)))).toEqual([]);
    expect(refusalsOfCore45(answeredTable(policy, shortenedTable(ask(ids))))).not.toEqual([]);
    expect(refusalsOfCore45(answeredTable(policy, shortenedTable(ask([seedUuid(0)]), true)))).not.toEqual([]);
  });

  it.each(environments)("are refused nothing of any state in %s", async (environment) => {
    await fc.assert(
      fc.asyncProperty(unsafeSnapshot, async (state) => {
        const policy = await compiled(state, environment);
        expect(refusalsOfCore45(tableOf(answerText(policy, olderTable(shortIds))))).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  it("are answered alike from the state that is kept on disk", async () => {
    const decoded = await decodeSnapshot(Buffer.concat([...encodeSnapshot(snapshot, null, {})]));
    const kept = await compiled(decoded.snapshot, "production");
    const now = await compiled(snapshot, "production");
    for (const table of [olderTable(shortIds), shortenedTable(ask(shortIds))]) {
      expect(answerText(kept, table)).toBe(answerText(now, table));
    }
  });
});

it("G9: parts that an earlier table had, too, have the findings of a copy that is checked for the first time", () =>
  fc.assert(
    fc.asyncProperty(unsafeSnapshot, fc.nat(), async (snapshot, place) => {
      const production = snapshot.groups.production.filter((_, at) => at !== place % snapshot.groups.production.length);
      const edited = { ...snapshot, groups: { ...snapshot.groups, production } };
      for (const state of [snapshot, edited, { ...edited, vehicleData: { staging: [], production: [] } }]) {
        const policy = await compiled(state, "production");
        for (const isOlder of [false, true]) {
          const table = sharedTable(policy, isOlder);
          const served = JSON.parse(`{${openingOf(policy, isOlder)}`) as unknown;
          expect({ ...table, app_policies: {} }).toEqual(served);
          expect(checkPolicyTable(table)).toEqual(checkPolicyTable(structuredClone(table)));
        }
      }
    }),
    { numRuns: runs(300, 60) },
  ));

const openingOf = (policy: CompiledPolicy, isOlder: boolean) =>
  `${policy.opening(false, isOlder).bytes.toString().slice(1)}}}`;
