import fc from "fast-check";
import { expect, it } from "vitest";
import { KnownGroups, readRequest } from "@/lib/fleet/read-request";
import { readKeysText, type ReleaseKeys } from "@/lib/fleet/release-key";
import { buildReleaseKeys } from "@/lib/fleet/release-key";
import { buildFixedEntries } from "@/lib/policy/table/app-policies";
import { type CompiledPolicy, compilePolicy } from "@/lib/policy/table/compiled-policy";
import { readShared } from "@/lib/policy/table/shared-sections";
import { coreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { carBuilds, coreVersions } from "@/lib/vocabulary/head-units";
import {
  aBaseGroup,
  aGroup,
  aMessage,
  anRpc,
  aPermission,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
  policyOptions,
} from "@/test/support/builders";
import { runs, seed } from "@/test/support/extent";

/* Which release a car had, by what it gives back of its table (`fleet.md` S4). */

const rpcs = [
  anRpc({ name: "Alert", levels: ["LIMITED", "FULL"] }),
  anRpc({ name: "GetVehicleData", levels: ["FULL", "BACKGROUND"], parameters: ["gps", "seatOccupancy", "cabinScent"] }),
  // Known from 8.0 on; one of its spellings by either build.
  anRpc({ name: "SubtleAlert" }),
  anRpc({ name: "SystemRequest", parameters: ["url"] }),
];
const permissions = ["GetVehicleData", "SystemRequest"].map((name) =>
  aPermission({ name: `a ${name}`, type: "PARAMETER", parents: [name] }),
);
const location = { id: 2, name: "Location", userConsentPrompt: "Location", rpcs };
const release = {
  groups: inBothViews(aBaseGroup(), aGroup(location), aGroup({ id: 3, name: "Empty", rpcs: [] })),
  messages: inBothViews(aMessage({ id: 7 })),
  vehicleData: inBothViews(aVehicleDataRecord()),
  permissions,
};
const compile = (partial: Parameters<typeof aSnapshot>[0] = {}) =>
  compilePolicy(aSnapshot({ ...release, ...partial }), "production", policyOptions(), () => undefined);
const policy = await compile();

interface Table {
  functional_groupings: Record<string, { user_consent_prompt?: string; rpcs: Record<string, Rpc> | null }>;
  consumer_friendly_messages: { version: string };
  vehicle_data: { schema_version: string };
}
interface Rpc {
  hmi_levels: string[];
  parameters?: string[];
}
type Kind = readonly [version: (typeof coreVersions)[number], build: (typeof carBuilds)[number]];
type Shuffle = <T>(all: readonly T[]) => readonly T[];

/** What a car's database gives back of a table: it drops what it doesn't know, and keeps no order. */
function requestOf(from: CompiledPolicy, [version, build]: Kind, shuffle: Shuffle, hasVehicleData = true): Buffer {
  const edition = version === "4.5" ? "older" : "long";
  const fixed = buildFixedEntries(from.snapshot, "production");
  const table = readShared(from.sections[edition], fixed) as unknown as Table;
  const { knowsRpc, knowsParameter } = coreVocabulary(version, build, new Set(["cabinScent"]));
  const shuffled = <T>(of: Record<string, T>, keep: (name: string, value: T) => T | null) =>
    Object.fromEntries(
      shuffle(Object.entries(of)).flatMap(([name, value]) => {
        const kept = keep(name, value);
        return kept === null ? [] : [[name, kept] as const];
      }),
    );
  const functional_groupings = shuffled(table.functional_groupings, (_, { rpcs: own, user_consent_prompt }) => {
    const known = shuffled(own ?? {}, (name, { hmi_levels, parameters }) =>
      knowsRpc(name)
        ? {
            hmi_levels: [...shuffle(hmi_levels)],
            ...(parameters && { parameters: [...shuffle(parameters.filter(knowsParameter))] }),
          }
        : null,
    );
    const isEmpty = Object.keys(known).length === 0;
    return { rpcs: isEmpty ? null : known, ...(user_consent_prompt !== undefined && { user_consent_prompt }) };
  });
  const { version: messages } = table.consumer_friendly_messages;
  const request = {
    ...{ functional_groupings, consumer_friendly_messages: { version: messages } },
    ...(hasVehicleData && { vehicle_data: { schema_version: table.vehicle_data.schema_version } }),
  };
  return Buffer.from(JSON.stringify({ policy_table: request }));
}

function keysOf(body: Buffer): ReleaseKeys | null {
  const steps = readRequest({ body, policy }, false, new KnownGroups());
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true) continue;
    const value = step.value.counts.find(({ dimension }) => dimension === "releases")?.value;
    return value === undefined ? null : readKeysText(value);
  }
}
const asItIs: Shuffle = (all) => all;
const kinds = coreVersions.flatMap((version) => carBuilds.map((build): Kind => [version, build]));

it.each(kinds)(
  "S4: a car with Core %s, %s, has the release that it got, in whatever order it gives it back",
  (...kind) => {
    const keys = buildReleaseKeys(policy);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(1000)), (random) => {
        const shuffle: Shuffle = (all) =>
          all
            .map((one) => [random.next().value, one] as const)
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one);
        expect(keys).toContainEqual(keysOf(requestOf(policy, kind, shuffle)));
      }),
      { numRuns: runs(100), seed },
    );
  },
);

it("S4: differs with groups, RPCs, levels, parameters, prompts, and versions of messages and vehicle data", async () => {
  const change = (partial: object) => ({ groups: inBothViews(aBaseGroup(), aGroup({ ...location, ...partial })) });
  const others: Parameters<typeof aSnapshot>[0][] = [
    ...[{ name: "Place" }, { userConsentPrompt: null }, { rpcs: rpcs.slice(1) }].map(change),
    change({ rpcs: rpcs.with(0, anRpc({ name: "Alert", levels: ["FULL"] })) }),
    change({
      rpcs: rpcs.with(1, anRpc({ name: "GetVehicleData", levels: ["FULL", "BACKGROUND"], parameters: ["gps"] })),
    }),
    { groups: inBothViews(aBaseGroup(), aGroup(location)) },
    { messages: inBothViews(aMessage({ id: 8 })) },
    { vehicleData: inBothViews(aVehicleDataRecord({ savedAt: 5_000 })) },
  ];
  const policies = await Promise.all(others.map((other) => compile(other)));
  const keys = [policy, ...policies].map((one) => keysOf(requestOf(one, ["8.2", "regular"], asItIs))?.whole);
  expect(new Set(keys).size).toBe(others.length + 1);
  // What cars give back of a table without its encryption, or with an empty group that is null, is the same.
  const same = await compile(change({ encryptionRequired: true }));
  const plain = await compile(change({}));
  expect(buildReleaseKeys(same)).toEqual(buildReleaseKeys(plain));
});

it("S4: a car without vehicle data, or with that of its factory, is known by its groups and messages", () => {
  const keys = buildReleaseKeys(policy);
  const car = keysOf(requestOf(policy, ["5.1", "regular"], asItIs, false));
  expect(keys.map(({ whole }) => whole)).not.toContain(car?.whole);
  expect(keys.map(({ withoutVehicleData }) => withoutVehicleData)).toContain(car?.withoutVehicleData);
});

it("S4: no groups, no key", () => expect(keysOf(Buffer.from('{"policy_table":{}}'))).toBeNull());
