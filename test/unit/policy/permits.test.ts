import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { permitsOfBuilds, carOf, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import {
  forbidden,
  isPermitted,
  permits,
  type Consents,
  type PermitGroup,
  type Permits,
  type Permitted,
} from "@/lib/policy/permits/permits";
import { carBuilds, type CoreVersion } from "@/lib/vocabulary/head-units";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";
import { runs } from "@/test/support/extent";

type PerRpc = Readonly<Record<string, Readonly<Record<HmiLevel, Permitted>>>>;
interface Line {
  readonly groups: Readonly<
    Record<
      string,
      { user_consent_prompt?: string; rpcs: Record<string, { hmi_levels: HmiLevel[]; parameters?: string[] }> | null }
    >
  >;
  readonly app: "default" | readonly string[];
  readonly default_groups: readonly string[];
  readonly consents: Readonly<Record<string, boolean>>;
  readonly permits: { readonly regular: PerRpc; readonly external: PerRpc };
}
const lines = gunzipSync(readFileSync(path.join(import.meta.dirname, "../../fixtures/head-unit/permits.jsonl.gz")))
  .toString()
  .trim()
  .split("\n")
  .map((text) => JSON.parse(text) as Line);

/** What the cars were asked about: who may use all of them was recorded as one who may use whatever there is. */
const asked: Readonly<Record<string, readonly string[]>> = {
  GetVehicleData: ["fuelLevel", "gps", "rpm", "speed"],
  SubscribeVehicleData: ["gps", "speed"],
};
const asRecorded = (rpc: string, permitted: Permitted) =>
  permitted !== "no" && (asked[rpc] ?? []).every((name) => permitted === "all" || permitted.includes(name))
    ? "all"
    : permitted;

it.each(["regular", "external"] as const)(
  "says of every recorded table what cars of the build %s answered",
  (build) => {
    expect(lines).toHaveLength(400);
    const wrong = lines.flatMap(({ groups, app, default_groups, consents, permits: answers }, at) => {
      const names = app === "default" ? default_groups : app;
      const own = names.flatMap((name): PermitGroup[] => {
        const group = groups[name];
        if (group === undefined) return [];
        const rpcs = Object.entries(group.rpcs ?? {}).map(([rpc, { hmi_levels, parameters }]) => ({
          name: rpc,
          levels: hmi_levels,
          parameters: parameters ?? null,
        }));
        return [{ name, prompt: group.user_consent_prompt ?? null, rpcs }];
      });
      const found = permits(own, build, app === "default" ? "all" : new Map(Object.entries(consents)));
      return Object.entries(answers[build]).flatMap(([rpc, expected]) => {
        const permit = found.get(rpc) ?? forbidden;
        const is = Object.fromEntries(hmiLevels.map((level) => [level, asRecorded(rpc, permit[level])]));
        return JSON.stringify(is) === JSON.stringify(expected) ? [] : [{ at, rpc, is, expected }];
      });
    });
    expect(wrong).toEqual([]);
  },
);

const rpcNames = ["GetVehicleData", "SubscribeVehicleData", "Show"];
const anyRpc = fc.record({
  levels: fc.shuffledSubarray([...hmiLevels], { minLength: 1 }),
  parameters: fc.option(fc.shuffledSubarray(["gps", "rpm", "speed"])),
});
const anyGroup = fc
  .record({
    prompt: fc.constantFrom(null, "Location"),
    rpcs: fc.tuple(...rpcNames.map(() => fc.option(anyRpc))),
  })
  .map(({ prompt, rpcs }) => ({
    prompt,
    rpcs: rpcs.flatMap((rpc, at) => (rpc === null ? [] : [{ ...rpc, name: rpcNames[at] ?? "" }])),
  }));
const anyGroups = fc
  .array(anyGroup, { minLength: 1, maxLength: 4 })
  .map((groups): PermitGroup[] => groups.map((group, at) => ({ ...group, name: `G${at}` })));
const groupNames = ["G0", "G1", "G2", "G3"];
const anyConsents = fc
  .dictionary(fc.constantFrom(...groupNames), fc.boolean())
  .map((answers) => new Map(Object.entries(answers)));
const tries = { numRuns: runs(3000, 300) };
/** All that may be called: RPC and level, and with each parameter; "all" counts as one more. */
const listed = (found: Permits) =>
  [...found]
    .flatMap(([rpc, permit]) =>
      hmiLevels.flatMap((level) => {
        const is = permit[level];
        return is === "no" ? [] : (is === "all" ? ["all"] : is).map((name) => `${rpc} ${level} ${name}`);
      }),
    )
    .sort();

it("says of a single group what it says itself, unless its list is empty", () =>
  fc.assert(
    fc.property(anyGroup, fc.constantFrom(...carBuilds), (group, build) => {
      const said = group.rpcs.flatMap(({ name, levels, parameters }) =>
        levels.flatMap((level) => (parameters ?? ["all"]).map((one) => `${name} ${level} ${one}`)),
      );
      expect(listed(permits([{ ...group, name: "G0" }], build, "all"))).toEqual(said.sort());
    }),
    tries,
  ));

it("C1: in regular cars an empty list forbids its RPC, and no other group lifts that", () =>
  fc.assert(
    fc.property(anyGroups, fc.constantFrom(...rpcNames), fc.nat(4), (groups, name, at) => {
      const veto = { name: "Veto", prompt: null, rpcs: [{ name, levels: ["NONE"] as const, parameters: [] }] };
      const found = permits(groups.toSpliced(at, 0, veto), "regular", "all");
      expect(found.has(name)).toBe(false);
      const others = listed(permits(groups, "regular", "all")).filter((one) => !one.startsWith(`${name} `));
      expect(listed(found)).toEqual(others);
    }),
    tries,
  ));

it("C5: in external cars no answer gives more than yes, and a prompt that is not answered gives nothing of its own", () =>
  fc.assert(
    fc.property(anyGroups, anyConsents, (groups, consents) => {
      const max = permits(groups, "external", "all");
      const allowed = groups.filter(({ name, prompt }) => prompt === null || consents.get(name) === true);
      const own = permits(allowed, "external", "all");
      for (const [rpc, permit] of permits(groups, "external", consents)) {
        for (const level of hmiLevels) {
          const is = permit[level];
          if (is === "no") continue;
          expect(own.get(rpc)?.[level]).not.toBe("no");
          for (const name of is === "all" ? [] : is) expect(isPermitted(own, rpc, level, name)).toBe(true);
          expect(max.get(rpc)?.[level]).not.toBe("no");
        }
      }
    }),
    tries,
  ));

it("C5: in external cars a group that was declined takes its parameters away from the others", () => {
  const gps = (name: string, parameters: string[]) => ({
    name,
    prompt: name === "Base" ? null : name,
    rpcs: [{ name: "GetVehicleData", levels: ["FULL"] as const, parameters }],
  });
  const groups = [gps("Base", ["gps", "speed"]), gps("Location", ["gps"])];
  const given = (consents: Consents) => permits(groups, "external", consents).get("GetVehicleData")?.FULL;
  expect(given(new Map([["Location", true]]))).toEqual(["gps", "speed"]);
  expect(given(new Map([["Location", false]]))).toEqual(["speed"]);
  expect(given(new Map())).toEqual(["speed"]);
});

describe("a table in a car", () => {
  const group = (name: string, parameters: string[] | null, rpc = "GetVehicleData"): PermitGroup => ({
    name,
    prompt: null,
    rpcs: [{ name: rpc, levels: ["FULL"], parameters }],
  });
  const table = (...groups: PermitGroup[]) => ({ groups, items: new Set(["cabinScent"]) });

  it("looks at each set of groups once, in whatever order they are named", () => {
    const find = carOf(table(group("A", ["gps"]), group("B", ["speed"])), "external").permits;
    expect(find(["A", "B"])).toBe(find(["B", "A", "unheard of"]));
    expect(find(["A"])).not.toBe(find(["B"]));
  });

  it("judges an RPC once for all sets with the same groups that list it", () => {
    const { listings } = carOf(table(group("A", ["gps"]), group("B", ["speed"]), group("C", null, "Show")), "regular");
    const [data, show, ...others] = listings(["A", "C"]);
    expect([data?.rpc, show?.rpc, others]).toEqual(["GetVehicleData", "Show", []]);
    expect(listings(["A", "unheard of"])).toEqual([data]);
    expect(listings(["A"])[0]).toBe(data);
    expect(listings(["A", "B"])[0]).not.toBe(data);
  });

  it("names each parameter that was replaced by another one", () => {
    const [before, after] = [table(group("A", ["speed"])), table(group("A", ["odometer"]))];
    const changes = listPermitChanges(permitsOfBuilds(carsOf(before), ["A"]), permitsOfBuilds(carsOf(after), ["A"]), [
      "external",
    ]);
    expect(changes.map(({ kind, parameters }) => [kind, parameters])).toEqual([
      ["lost", ["speed"]],
      ["gained", ["odometer"]],
    ]);
  });

  it.each([
    ["4.5", "no", ["gps"]],
    ["5.1", "no", "no"],
    ["6.1", ["seatOccupancy"], ["gps", "seatOccupancy"]],
    ["8.2", ["seatOccupancy"], ["gps", "seatOccupancy"]],
  ] as const)("C14, C15: tells what is left of seatOccupancy in Core %s", (version, alone, beside) => {
    const groups = [group("Base", ["seatOccupancy"]), group("Location", ["gps"])];
    const find = carOf(table(...groups), "regular", version).permits;
    expect((find(["Base"]).get("GetVehicleData") ?? forbidden).FULL).toEqual(alone);
    expect((find(["Base", "Location"]).get("GetVehicleData") ?? forbidden).FULL).toEqual(beside);
  });

  it("C15: drops RPCs that a version does not know, and takes the table's own vehicle data from 6.0 on", () => {
    const groups = [group("Base", ["cabinScent"]), group("Window", null, "SubtleAlert")];
    const given = (version: CoreVersion) => [
      ...carOf(table(...groups), "external", version)
        .permits(["Base", "Window"])
        .keys(),
    ];
    expect(given("5.1")).toEqual([]);
    expect(given("6.1")).toEqual(["GetVehicleData"]);
    expect(given("8.2")).toEqual(["GetVehicleData", "SubtleAlert"]);
  });
});

it("reads the groups of a served table, and nothing that is not of their form", () => {
  const rpcs = { Alert: { hmi_levels: ["FULL", 1], parameters: ["a", null] }, Show: { hmi_levels: "FULL" }, Bad: 5 };
  const groupings = {
    Asked: { user_consent_prompt: "Location", rpcs },
    Odd: { user_consent_prompt: 5, rpcs: [] },
    No: null,
  };
  const { groups } = readPermitTable({ functional_groupings: groupings });
  expect(groups).toEqual([
    {
      name: "Asked",
      prompt: "Location",
      rpcs: [
        { name: "Alert", levels: ["FULL"], parameters: ["a"] },
        { name: "Show", levels: [], parameters: null },
        { name: "Bad", levels: [], parameters: null },
      ],
    },
    { name: "Odd", prompt: null, rpcs: [] },
    { name: "No", prompt: null, rpcs: [] },
  ]);
  expect(readPermitTable("no table").groups).toEqual([]);
});
