import { expect, it } from "vitest";
import { createHoldsRelease } from "@/lib/fleet/rollout/held-release";
import { Sent } from "@/lib/policy/rollout/sent";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { compiled } from "@/test/support/answers";
import { aBaseGroup, aSnapshot, inBothViews } from "@/test/support/builders";

/* Whether a vehicle has the release of a rollout (`fleet.md` S4, S12). */

const withGroup = (name: string) => compiled(aSnapshot({ groups: inBothViews(aBaseGroup({ name })) }), "production");
const [release, before] = [await withGroup("New"), await withGroup("Old")];

/** What a vehicle with the table gives back, in another order and with other blanks. */
const heldOf = ({ sections: { long } }: CompiledPolicy, edit = (groups: object) => groups) => {
  const groups = Object.fromEntries(long.groupings.map(({ member }) => member).toReversed());
  const text = Buffer.from(JSON.stringify(edit(groups), null, 2));
  const { schema_version: schemaVersion } = JSON.parse(long.vehicleData) as { schema_version?: string };
  return {
    groups: new Sent(text, 0, text.length),
    messagesVersion: Sent.of(long.messagesVersion),
    schemaVersion: schemaVersion === undefined ? null : Sent.of(schemaVersion),
  };
};

it("S12: a vehicle has the release whose groups it gives back", () => {
  const holds = createHoldsRelease();
  for (let times = 0; times < 2; times++) {
    expect(holds(release, before, heldOf(release))).toBe(true);
    expect(holds(release, before, heldOf(before))).toBe(false);
  }
  expect(holds(release, before, { ...heldOf(release), schemaVersion: Sent.of("9.9.9") })).toBe(true);
});

it("S12: of others, and between releases with the same groups, that is unknown", () => {
  const holds = createHoldsRelease();
  expect(
    holds(
      release,
      before,
      heldOf(release, () => ({})),
    ),
  ).toBeNull();
  expect(holds(release, release, heldOf(release))).toBeNull();
  expect(holds(release, before, { ...heldOf(release), groups: null })).toBeNull();
  expect(holds(release, before, { ...heldOf(release), messagesVersion: Sent.of("0.0.0") })).toBeNull();
});

it("S12: texts that nobody else sends are read twenty times a second at most, and then no longer", () => {
  let now = 0;
  const holds = createHoldsRelease(() => now);
  const strange = (at: number) => heldOf(release, (groups) => ({ ...groups, [`Strange ${at}`]: { rpcs: {} } }));
  for (let at = 0; at < 20; at++) holds(release, before, strange(at));
  expect(holds(release, before, heldOf(release))).toBeNull();
  now = 1_000;
  expect(holds(release, before, heldOf(release))).toBe(true);
});
