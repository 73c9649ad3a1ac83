import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAnswer, buildSegmentAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { NoModuleConfigError } from "@/lib/policy/table/compiled-policy";
import { byCodeUnit, byLowerCase, distinct } from "@/lib/vocabulary/order";
import { readSegment } from "@/lib/policy/answer/policy-request";
import type { PolicySnapshot, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { environments } from "@/lib/vocabulary/terms";
import { answerText, compiled, reportsOf, requestId, shortenedTable } from "@/test/support/answers";
import {
  aCatalogue,
  aMessage,
  aModuleConfig,
  anApp,
  anRpc,
  aService,
  aSnapshot,
  aVehicleDataItem,
  aVehicleDataRecord,
} from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { groups, records, snapshotOf, versions, workedExample } from "@/test/support/worked-example";

describe("G3: preview and app segment", () => {
  it("G3: a preview has short ids and the fixed entries only", async () => {
    const policy = await compiled(workedExample, "staging");
    const parts = buildAnswer(policy, { apps: [], fullAppIdSupported: false, isOlder: false }, requestId);
    const { policy_table } = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()).data[0];
    expect(policy_table.module_config.full_app_id_supported).toBe(false);
    expect(Object.keys(policy_table.app_policies)).toEqual(["default", "device", "pre_DataConsent"]);
  });

  it.each(environments)(
    "G3, T12: an app segment holds app_policies only, as the full table has them (%s)",
    async (name) => {
      const policy = await compiled(workedExample, name);
      const apps = { "11111111aa": {}, "22222222aa": { auth_token: "t" }, "33333333aa": {} };
      const parts = buildSegmentAnswer(policy, readSegment({ app_policies: apps }), requestId);
      const { policy_table } = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()).data[0];
      expect(Object.keys(policy_table)).toEqual(["app_policies"]);
      const full = JSON.parse(answerText(policy, shortenedTable(apps))).data[0].policy_table;
      expect(JSON.stringify(policy_table.app_policies)).toBe(JSON.stringify(full.app_policies));
    },
  );
});

describe("G5: damaged records", () => {
  it("G5: nothing is reported when nothing is left out", async () =>
    expect(await reportsOf(workedExample, "staging")).toEqual([]));

  it("G5: building fails when the view holds no module config, and only in that environment", async () => {
    const snapshot = aSnapshot({ moduleConfigs: { staging: [aModuleConfig()], production: [] } });
    await expect(compiled(snapshot, "production")).rejects.toThrow(NoModuleConfigError);
    await expect(compiled(snapshot, "staging")).resolves.toBeDefined();
  });
});

describe("G6: equal data give equal bytes", () => {
  const shuffledVersion = (version: SnapshotAppVersion, shuffle: <T>(values: readonly T[]) => T[]) => ({
    ...version,
    categories: shuffle([...version.categories, { id: 1, name: "DEFAULT" }, { id: 9, name: "TESTING" }]),
    permissions: shuffle(version.permissions),
    groupGrants: shuffle(version.groupGrants),
    services: shuffle(
      [...version.services, aService({ name: "NAVIGATION" })].map((service) => ({
        ...service,
        serviceNames: shuffle([...service.serviceNames, "Aux", "Zed"]),
        selectedPermissions: shuffle([...service.selectedPermissions, "Show"]),
      })),
    ),
  });

  function shuffledSnapshot(shuffle: <T>(values: readonly T[]) => T[]): PolicySnapshot {
    const version = shuffledVersion(
      { ...versions[3], approvalStatus: "ACCEPTED", services: versions[1].services },
      shuffle,
    );
    return snapshotOf({
      ...records,
      groups: shuffle(
        groups.map((group) => ({
          ...group,
          rpcs: shuffle([...group.rpcs, anRpc({ name: "Alert" }), anRpc({ name: "alert" })]).map((rpc) => ({
            ...rpc,
            levels: shuffle(rpc.levels),
            parameters: shuffle(rpc.parameters),
          })),
        })),
      ),
      messages: shuffle(
        [...records.messages, aMessage({ id: 3, category: "VehicleInfo" }), aMessage({ id: 4, category: "a" })].map(
          (message) => ({ ...message, languages: shuffle(message.languages) }),
        ),
      ),
      vehicleData: shuffle([
        ...records.vehicleData,
        aVehicleDataRecord({ id: 21, name: "CABINSCENT" }),
        aVehicleDataRecord({ id: 22, type: "Struct", name: "box", params: shuffle(["b", "a", "B"].map(named)) }),
      ]),
      permissions: shuffle(records.permissions),
      apps: [anApp({ versions: [version] })],
    });
  }
  const named = (name: string) => aVehicleDataItem({ name, key: name });

  it.each(environments)("G6: whatever the order of records and of their lists (%s)", async (environment) => {
    const table = shortenedTable({ "22222222aa": {} });
    const expected = answerText(
      await compiled(
        shuffledSnapshot((values) => [...values]),
        environment,
      ),
      table,
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const shuffle = <T>(values: readonly T[]) => {
          const keyed = values.map((value) => ({ value, key: numbers.next().value }));
          return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
        };
        expect(answerText(await compiled(shuffledSnapshot(shuffle), environment), table)).toBe(expected);
      }),
      { numRuns: runs(50) },
    );
  });
});

it.each(environments)("M10, G7: building changes nothing of the snapshot (%s)", async (environment) => {
  const frozen = deepFreeze(structuredClone({ ...workedExample, apps: null }));
  const snapshot = { ...frozen, apps: aCatalogue(records.apps.map(deepFreeze)) };
  const table = shortenedTable({ "11111111aa": {}, "22222222aa": {} });
  const expected = answerText(await compiled(workedExample, environment), table);
  expect(answerText(await compiled(snapshot, environment), table)).toBe(expected);
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe("G8: order", () => {
  it("G8: by code unit is plain comparison of UTF-16 code units", () => {
    const sorted = ["", "10", "9", "B", "Z", "a", "b", "é", "\u{1f600}", "\ufffd"];
    expect(sorted.toReversed().sort(byCodeUnit)).toEqual(sorted);
  });

  it("G8: lower-cased names are compared, ties by code unit", () => {
    const sorted = ["alpha", "Base", "base", "Beta", "gamma", "Ω", "ω", "Ωmega"];
    expect(sorted.toReversed().sort(byLowerCase)).toEqual(sorted);
  });

  it("G8: both are total orders in which only equal texts are equal", () => {
    const texts = fc.string({ unit: "binary", maxLength: 4 });
    for (const compare of [byCodeUnit, byLowerCase]) {
      fc.assert(
        fc.property(texts, texts, texts, (a, b, c) => {
          expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
          expect(compare(a, b) === 0).toBe(a === b);
          if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        }),
      );
    }
  });

  it("keeps the first of equal values", () => expect(distinct(["b", "a", "b"])).toEqual(["b", "a"]));
});
