import { describe, expect, it } from "vitest";
import { createSnapshotLoader, type LoadedSnapshot } from "@/lib/policy/snapshot/load-snapshot";
import type { Damage } from "@/lib/policy/snapshot/damage";
import type { Transaction } from "@/lib/platform/db/transaction";
import { approvalStatuses } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { emptyDatabase, withEmptyDatabase } from "@/test/support/database";
import {
  store,
  storeAppVersion,
  storeFlags,
  storeGroup,
  storeMessage,
  storeModuleConfig,
  storePermission,
  storeVehicleData,
} from "@/test/support/stored-records";

withEmptyDatabase();

const uuid = (index: number) => `${String(index).padStart(8, "0")}-aaaa-4bbb-8ccc-00000000000A`;

function contentOf(snapshot: LoadedSnapshot) {
  const apps = [...snapshot.apps.values()].toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const shortIds = apps.map((app) => app.shortIds.map(({ shortId }) => snapshot.apps.byShortId(shortId.toLowerCase())));
  return {
    ...snapshot,
    apps,
    shortIds: shortIds.map((lists) => lists.map((list) => list.map((app) => app.uuid).toSorted())),
  };
}

function randomness(state: number) {
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // The low bits of such a sequence repeat quickly; the high ones do not.
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function load() {
  const damages: Damage[] = [];
  return { ...(await createSnapshotLoader({ report: (damage) => damages.push(damage) }).load()), damages };
}

describe("views (api.md section 1)", () => {
  it("takes the greatest id of a key for staging and the greatest PRODUCTION id for production", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "Base", status: "PRODUCTION", isDefault: true });
      await storeGroup(tx, { name: "Base", status: "STAGING", isDeleted: true });
      await storeGroup(tx, { name: "Location", status: "STAGING" });
    });
    const { groups } = await load();
    expect(groups.staging.map(({ id, name, isDeleted }) => [id, name, isDeleted])).toEqual([
      [2, "Base", true],
      [3, "Location", false],
    ]);
    expect(groups.production.map(({ id, isDefault }) => [id, isDefault])).toEqual([[1, true]]);
  });

  it("gives custom vehicle data as trees", async () => {
    await store((tx) => storeVehicleData(tx, "cabinScent", "STAGING"));
    const { vehicleData } = await load();
    expect(vehicleData.staging).toMatchObject([
      { id: 1, name: "cabinScent", params: [{ name: "outer", params: [{ name: "inner", maxValue: 9, params: [] }] }] },
    ]);
    expect(vehicleData.production).toEqual([]);
  });

  it("sees a certificate that was renewed in the same module config record (directory.md 9.3)", async () => {
    const id = await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
    const loader = createSnapshotLoader();
    const before = await loader.load();
    await store(async (tx) => {
      await ModuleConfigModel.updateOne({ _id: id }, { certificate: "C", privateKey: "K" }, { session: tx.session });
    });
    const after = await loader.load();
    expect(before.moduleConfigs.production[0]).toMatchObject({ certificate: null });
    expect(after.moduleConfigs.production[0]).toMatchObject({ certificate: "C", privateKey: "K" });
  });
});

describe("apps", () => {
  it("keeps the newest accepted and the newest accepted or staged version (rule A4)", async () => {
    await store(async (tx) => {
      for (const status of ["ACCEPTED", "ACCEPTED", "STAGING", "PENDING", "LIMITED"] as const) {
        await storeAppVersion(tx, uuid(1), status);
      }
    });
    const { apps } = await load();
    expect(apps.byUuid(uuid(1).toLowerCase())).toMatchObject({ accepted: { id: 2 }, staged: { id: 3 } });
  });

  it("finds apps by lower-cased long and short id, all apps that share a short id (rule A2)", async () => {
    await store(async (tx) => {
      await storeAppVersion(tx, uuid(1), "ACCEPTED", { shortUuid: "SAME", shortKey: "same" });
      await storeAppVersion(tx, uuid(2), "PENDING", { shortUuid: "same", shortKey: "same" });
    });
    const { apps } = await load();
    expect(apps.size).toBe(2);
    expect(apps.byShortId("same").map((app) => app.shortIds)).toEqual([
      [{ shortId: "SAME", newestRecordId: 1 }],
      [{ shortId: "same", newestRecordId: 2 }],
    ]);
    expect(apps.byUuid(uuid(3))).toBeUndefined();
    expect(apps.byShortId("other")).toEqual([]);
  });

  it("keeps a blacklisted app without versions under its derived short id (rules A3, D4)", async () => {
    await store(async (tx) => {
      await storeFlags(tx, uuid(7), { isBlacklisted: true });
      await storeFlags(tx, uuid(8), { isBlacklisted: false });
    });
    const { apps } = await load();
    expect(apps.byShortId("00000007aa")).toMatchObject([{ uuid: uuid(7), isBlacklisted: true, accepted: null }]);
    expect(apps.byUuid(uuid(8).toLowerCase())).toBeUndefined();
  });
});

describe("incremental loading", () => {
  it("shares everything that did not change, the apps above all", async () => {
    await store(async (tx) => {
      await storeModuleConfig(tx, "PRODUCTION");
      await storeMessage(tx, "Location", "PRODUCTION");
      await storePermission(tx, "Show");
      await storeAppVersion(tx, uuid(1), "ACCEPTED");
    });
    const loader = createSnapshotLoader();
    const before = await loader.load();
    expect(await loader.load()).toBe(before);
    await store((tx) => storeGroup(tx, { name: "Base" }));
    const after = await loader.load();
    expect(after.groups.staging).toHaveLength(1);
    expect(after.apps).toBe(before.apps);
    expect(after.permissions).toBe(before.permissions);
    expect(after.messages).toBe(before.messages);
    expect(after.moduleConfigs).toBe(before.moduleConfigs);
    expect(after.vehicleData).toBe(before.vehicleData);
  });

  it("never changes a snapshot that is in use (rule K4)", async () => {
    await store((tx) => storeAppVersion(tx, uuid(1), "ACCEPTED"));
    const loader = createSnapshotLoader();
    const before = await loader.load();
    const content = structuredClone(contentOf(before));
    await store(async (tx) => {
      await storeAppVersion(tx, uuid(1), "ACCEPTED");
      await storeAppVersion(tx, uuid(2), "STAGING");
      await storeGroup(tx, { name: "Base" });
    });
    const after = await loader.load();
    expect(contentOf(before)).toEqual(content);
    expect(after.apps.size).toBe(2);
    expect(after.apps.byUuid(uuid(1).toLowerCase())?.accepted?.id).toBe(2);
  });

  it("equals a full load after any sequence of changes", async () => {
    const chance = randomness(20_260_301);
    const changes: readonly ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) =>
        storeGroup(tx, { name: `g${chance(4)}`, status: chance(2) ? "STAGING" : "PRODUCTION", isDeleted: !chance(4) }),
      (tx) => storeMessage(tx, `m${chance(4)}`, chance(2) ? "STAGING" : "PRODUCTION", `label ${chance(100)}`),
      (tx) => storeVehicleData(tx, `v${chance(3)}`, chance(2) ? "STAGING" : "PRODUCTION"),
      (tx) => storeModuleConfig(tx, chance(2) ? "STAGING" : "PRODUCTION"),
      (tx) => storePermission(tx, `p${tx.revision}`, "PARAMETER", ["Show"]),
      (tx) => storeAppVersion(tx, uuid(chance(12)), approvalStatuses[chance(4)] ?? "PENDING"),
      (tx) => storeFlags(tx, uuid(chance(16)), { isBlacklisted: chance(2) === 0, isAdministratorApp: chance(2) === 0 }),
      async (tx) => {
        const target = uuid(chance(12));
        await ApplicationModel.deleteMany({ uuid: target }, { session: tx.session });
        await storeFlags(tx, target, {});
      },
    ];
    const loader = createSnapshotLoader();
    for (let round = 0; round < 60; round += 1) {
      for (let step = chance(4); step >= 0; step -= 1) {
        const change = changes[chance(changes.length)];
        if (change !== undefined) await store(change);
      }
      if (chance(3) === 0) continue;
      expect(contentOf(await loader.load())).toEqual(contentOf(await createSnapshotLoader().load()));
    }
  });

  it("shows one point in time while commands go on (rules G7, K4)", async () => {
    const loader = createSnapshotLoader();
    const state = { isWriting: true };
    const writing = (async () => {
      for (let round = 0; round < 60; round += 1) {
        await store(async (tx) => {
          await storeGroup(tx, { name: `g${round}` });
          await storeMessage(tx, `m${round}`, "STAGING");
          await storeAppVersion(tx, uuid(round), "ACCEPTED");
        });
      }
      state.isWriting = false;
    })();
    let looks = 0;
    while (state.isWriting) {
      const { groups, messages, apps, revision } = await (looks % 2 === 0 ? loader : createSnapshotLoader()).load();
      expect([groups.staging.length, messages.staging.length, apps.size]).toEqual([revision, revision, revision]);
      looks += 1;
    }
    await writing;
    expect(looks).toBeGreaterThan(1);
    expect((await loader.load()).revision).toBe(60);
  });

  it("starts again when the database is an older one", async () => {
    const loader = createSnapshotLoader();
    await store((tx) => storeGroup(tx, { name: "Base" }));
    await store((tx) => storeAppVersion(tx, uuid(1), "ACCEPTED"));
    await loader.load();
    await emptyDatabase();
    await store((tx) => storeGroup(tx, { name: "Other" }));
    const { groups, apps } = await loader.load();
    expect(groups.staging.map(({ name }) => name)).toEqual(["Other"]);
    expect(apps.size).toBe(0);
  });
});

describe("damaged records (rule G5)", () => {
  it("leaves out a group with wrong types, reports it without its values, and loads the rest", async () => {
    await store((tx) => storeGroup(tx, { name: "Good" }));
    await store(async (tx) => {
      const id = await storeGroup(tx, { name: "Bad" });
      const { collection } = FunctionalGroupModel;
      await collection.updateOne({ name: "Bad" }, { $set: { isDefault: "very secret" } }, { session: tx.session });
      expect(id).toBe(2);
    });
    const { groups, damages } = await load();
    expect(groups.staging.map(({ name }) => name)).toEqual(["Good"]);
    expect(damages).toMatchObject([{ collection: "functional_groups", id: 2 }]);
    expect(damages[0]?.reason).toContain("isDefault");
    expect(damages[0]?.reason).not.toContain("very secret");
  });

  it("takes the next older version of an app when the newest is damaged", async () => {
    await store(async (tx) => {
      for (const name of ["one", "two", "three"]) await storeAppVersion(tx, uuid(1), "ACCEPTED", { name });
      await storeAppVersion(tx, uuid(2), "ACCEPTED");
      const { collection } = ApplicationModel;
      const damage = { $set: { permissions: "none" } };
      for (const name of ["two", "three"]) await collection.updateOne({ name }, damage, { session: tx.session });
    });
    const { apps, damages } = await load();
    expect(apps.byUuid(uuid(1).toLowerCase())).toMatchObject({ accepted: { id: 1 }, staged: { id: 1 } });
    expect(apps.byUuid(uuid(2).toLowerCase())).toMatchObject({ accepted: { id: 4 } });
    expect(damages.map(({ id }) => id)).toEqual([3, 2]);
  });
});
