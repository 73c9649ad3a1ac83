import fc from "fast-check";
import { expect, it } from "vitest";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { buildView } from "@/lib/policy/why/view";
import { listOffers, requirementOf } from "@/lib/policy/why/requirements";
import { environments } from "@/lib/vocabulary/terms";
import { atLeast, runs } from "@/test/support/extent";
import { randomSnapshot } from "@/test/support/random-snapshot";

/** The same records as other objects: nothing is known of them. */
const anew = (snapshot: PolicySnapshot): PolicySnapshot => ({
  ...snapshot,
  groups: structuredClone(snapshot.groups),
  vehicleData: structuredClone(snapshot.vehicleData),
});

function readAll(snapshot: PolicySnapshot) {
  return environments.map((environment) => {
    const view = buildView(snapshot, environment);
    const names = new Set(
      [...view.groups.values()].flatMap(({ group }) =>
        group.rpcs.flatMap(({ name, parameters }) => [name, ...parameters]),
      ),
    );
    return {
      allowed: [...view.groups.values()].map(({ group, isListed, allowed }) => [group.name, isListed, allowed]),
      offers: [...names].flatMap((name) =>
        [requirementOf(view, name), { kind: "parameter", name, rpc: "GetVehicleData" } as const].map((requirement) =>
          listOffers(view, requirement).map(({ content, stored, allowed }) => [
            content.group.name,
            [...stored],
            [...allowed],
          ]),
        ),
      ),
    };
  });
}

it("L15: what was read of a group holds in later snapshots, until what its parameters depend on changes", () => {
  let changed = 0;
  fc.assert(
    fc.property(randomSnapshot, randomSnapshot, (one, other) => {
      const { rpcSpec, permissions, vehicleData } = other;
      const first = JSON.stringify(readAll(one));
      for (const part of [{ rpcSpec }, { permissions }, { vehicleData }, { messages: other.messages }]) {
        const mixed = { ...one, ...part };
        const said = JSON.stringify(readAll(mixed));
        expect(said).toBe(JSON.stringify(readAll(anew(mixed))));
        if (said !== first) changed += 1;
      }
      expect(JSON.stringify(readAll({ ...one }))).toBe(first);
    }),
    { numRuns: runs(60, 20) },
  );
  expect(changed).toBeGreaterThan(atLeast(10));
});
