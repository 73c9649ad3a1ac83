import { describe, expect, it } from "vitest";
import { buildAnswer } from "@/lib/policy/answer/answer";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { shareRecords, snapshotBefore } from "@/lib/policy/rollout/before";
import { loadSnapshotFile, saveSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot, SnapshotGroup, SnapshotRollout } from "@/lib/policy/table/snapshot";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aMessage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
  policyOptions,
} from "@/test/support/builders";
import { aReadyRuntime, FakeSource } from "@/test/support/fake-policy-source";
import { temporaryFolder } from "@/test/support/temporary-folder";

const rpcsOf = (start: string) => Array.from({ length: 40 }, (_, at) => anRpc({ name: `${start}${at}` }));
const many = [
  aBaseGroup({ id: 1, name: "Base" }),
  ...Array.from({ length: 300 }, (_, at) => aGroup({ id: at + 2, name: `Group ${at}`, rpcs: rpcsOf(`Rpc${at}`) })),
];
const changed = (at: number) => aGroup({ ...many[at], id: 1_000 + at, rpcs: rpcsOf("Show") });

/** Production has `now`; the release before had `then`. */
function rolledOut(then: readonly SnapshotGroup[], now: readonly SnapshotGroup[], more: Partial<PolicySnapshot> = {}) {
  const snapshot = aSnapshot({
    groups: inBothViews(...now),
    messages: inBothViews(aMessage()),
    vehicleData: inBothViews(aVehicleDataRecord()),
    ...more,
  });
  const records = {
    groups: then.map((group) => structuredClone(group)),
    messages: snapshot.messages.production.map((one) => structuredClone(one)),
    moduleConfigs: snapshot.moduleConfigs.production.map((one) => structuredClone(one)),
    vehicleData: snapshot.vehicleData.production.map((one) => structuredClone(one)),
  };
  return { ...snapshot, rollout: { ...rollout, records: shareRecords(records, snapshot) } };
}

const rollout: Omit<SnapshotRollout, "records"> = {
  ...{ number: 1, salt: "00112233445566778899aabbccddeeff", percent: 10, isPaused: false, release: 5, before: 4 },
  ...{ countries: ["X"], software: [], hardware: ["A1", "A2"] },
};

async function compileBoth(snapshot: ReturnType<typeof rolledOut>) {
  const production = await compiled(snapshot, "production");
  const extras = { beside: production, similar: [production] };
  const state = snapshotBefore(snapshot, snapshot.rollout);
  return { production, before: await compilePolicy(state, "production", policyOptions(), () => undefined, extras) };
}

const editions = [
  { isLong: true, isOlder: false },
  { isLong: false, isOlder: false },
  { isLong: false, isOlder: true },
];
const memoryOf = (policies: readonly CompiledPolicy[]) => {
  const buffers = policies.flatMap((policy) =>
    editions.flatMap(({ isLong, isOlder }) =>
      policy.openingParts(isLong, isOlder).flatMap(({ bytes, deflated }) => [bytes, deflated]),
    ),
  );
  return [...new Set(buffers.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
};

describe("S14: two compiled policies", () => {
  it("S14: unchanged records and views are the same objects, changed ones are those of the release before", () => {
    const now = many.with(150, changed(150));
    const snapshot = rolledOut(many, now);
    const { groups, ...others } = snapshot.rollout.records;
    expect(groups.filter((group, at) => group !== now[at])).toEqual([many[150]]);
    const state = snapshotBefore(snapshot, snapshot.rollout);
    expect(others.messages).toBe(snapshot.messages.production);
    expect([state.messages, state.vehicleData, state.moduleConfigs]).toEqual([
      ...[snapshot.messages, snapshot.vehicleData, snapshot.moduleConfigs],
    ]);
    expect(state.vehicleData).toBe(snapshot.vehicleData);
    expect(snapshotBefore(snapshot, snapshot.rollout).groups).toBe(state.groups);
    // The next revision keeps the list.
    expect(shareRecords(snapshot.rollout.records, snapshot).groups).toBe(groups);
  });

  it("S14: memory grows by what differs: one piece of one group", async () => {
    const { production, before } = await compileBoth(rolledOut(many, many.with(150, changed(150))));
    const own = [...before.pieces].filter(([digest]) => !production.pieces.has(digest));
    // Core before 5.0 gets the same groups here.
    expect(own).toHaveLength(1);
    for (const [digest, piece] of before.pieces) {
      const shared = production.pieces.get(digest);
      if (shared === undefined) continue;
      expect(piece.deflated).toBe(shared.deflated);
      expect(piece.bytes.buffer).toBe(shared.bytes.buffer);
    }
    const alone = memoryOf([production]);
    const [[, { bytes, deflated }] = ["", { bytes: Buffer.alloc(0), deflated: Buffer.alloc(0) }]] = own;
    const pieces = [...production.pieces.values()].reduce((sum, piece) => sum + piece.deflated.length, 0);
    expect(memoryOf([production, before]) - alone).toBeLessThan(2 * (bytes.length + deflated.length) + pieces);
    expect(memoryOf([production, before])).toBeLessThan(1.2 * alone);
  });

  it("S14: both answer what each would answer alone, plain and gzip, whatever the kind of head unit", async () => {
    const app = anApp({ versions: [anAppVersion({ shortUuid: "app1" })] });
    const { production, before } = await compileBoth(
      rolledOut(many, many.with(7, changed(7)), { apps: aCatalogue([app]) }),
    );
    const old = await compiled(
      aSnapshot({
        groups: inBothViews(...many),
        messages: inBothViews(aMessage()),
        vehicleData: inBothViews(aVehicleDataRecord()),
        apps: aCatalogue([app]),
      }),
      "production",
    );
    for (const table of [
      shortenedTable({ app1: {}, unknown: {} }, true),
      shortenedTable({ app1: {} }),
      { ...shortenedTable({ app1: {} }), module_config: {} },
    ]) {
      expect(answerText(before, table)).toBe(answerText(old, table));
      expect(answerText(production, table)).not.toBe(answerText(old, table));
    }
  });

  it("S14: entries that are equal are shared, whichever side asks first; a block counts on both", async () => {
    const app = anApp({ versions: [anAppVersion({ shortUuid: "app1" })] });
    const blocked = anApp({
      uuid: "22222222-aaaa-4bbb-8ccc-000000000002",
      isBlacklisted: true,
      versions: [anAppVersion({ id: 9, shortUuid: "app2" })],
    });
    const apps = aCatalogue([app, blocked]);
    const { production, before } = await compileBoth(rolledOut(many, many.with(7, changed(7)), { apps }));
    const entry = before.entryOf("app1", false);
    expect(typeof entry).toBe("object");
    expect(production.entryOf("app1", false)).toBe(entry);
    expect([production.entryOf("app2", false), before.entryOf("app2", false)]).toEqual(["null", "null"]);
  });

  it("S14: the table of one release never names what only the other one has", async () => {
    const [base = aBaseGroup(), ...others] = many;
    const fresh = aGroup({ id: 2_000, name: "Fresh", isDefault: true, rpcs: rpcsOf("Show") });
    const { production, before } = await compileBoth(rolledOut([base, ...others], [base, fresh]));
    const tables = [production, before].map(
      (policy) => JSON.parse(answerText(policy, shortenedTable({}))).data[0].policy_table,
    );
    const told = tables.map((table) => [
      Object.keys(table.functional_groupings).includes("Fresh"),
      table.app_policies.default.groups.includes("Fresh"),
      Object.keys(table.functional_groupings).includes("Group 3"),
    ]);
    expect(told).toEqual([
      [true, true, false],
      [false, false, true],
    ]);
  });
});

describe("S14: what is kept on disk", () => {
  const snapshot = (): PolicySnapshot & { readonly rollout: SnapshotRollout } =>
    rolledOut(many, many.with(150, changed(150)), {
      apps: new AppIndex(),
      moduleConfigs: inBothViews(aModuleConfig()),
    });

  it("S14: a restart without a database keeps both sides, and what they share", async () => {
    const dataDir = temporaryFolder();
    const saved = snapshot();
    await saveSnapshotFile(dataDir, saved);
    const loaded = await loadSnapshotFile(dataDir);
    expect(loaded?.rollout).toEqual(saved.rollout);
    const groups = loaded?.rollout?.records.groups ?? [];
    const known = new Set(loaded?.groups.production);
    expect(groups.filter((group) => !known.has(group))).toEqual([many[150]]);
    expect(loaded?.rollout?.records.messages).toBe(loaded?.messages.production);
  });

  it("S14: a file without a rollout is one of an earlier version, and loads", async () => {
    const dataDir = temporaryFolder();
    await saveSnapshotFile(dataDir, { ...snapshot(), rollout: null });
    expect((await loadSnapshotFile(dataDir))?.rollout).toBeNull();
  });

  it("S14: the runtime serves both from the file, and drops the second when the rollout is over", async () => {
    const source = new FakeSource(snapshot());
    const { runtime, reaches } = await aReadyRuntime({ source });
    const table = readPolicyTable(shortenedTable({}));
    const lengthOf = (policy: CompiledPolicy | null | undefined) => policy && buildAnswer(policy, table, "").length;
    expect(lengthOf(runtime.rollout?.before)).toBeGreaterThan(3);
    expect(runtime.rollout?.rollout.percent).toBe(10);
    source.commit({ rollout: null });
    source.announce();
    await reaches("ready", source.snapshot.revision);
    expect(runtime.rollout).toBeNull();
    expect(lengthOf(runtime.policy("production"))).toBe(3);
  });
});
