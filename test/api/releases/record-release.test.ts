import { describe, expect, it } from "vitest";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { groupFamily, saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { messageFamily } from "@/lib/records/messages/commands";
import { moduleConfigFamily } from "@/lib/records/module-config/commands";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";
import { vehicleDataFamily } from "@/lib/records/vehicle-data/commands";
import { AuditEventModel } from "@/models/audit-event";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { ReleaseModel } from "@/models/release";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { rpcBody } from "@/test/support/releases";
import {
  behind,
  store,
  storeGroup,
  storeMessage,
  storeModuleConfig,
  storeVehicleData,
} from "@/test/support/stored-records";

withEmptyDatabase();

const ann = { ...testContext, displayName: "Ann", isNameVerified: true };
const save = (name: string, members: object = {}) =>
  saveGroup(saveGroupBody.parse({ name, is_default: false, rpcs: [], ...members }), ann);
const promote = (families = [groupFamily, messageFamily, moduleConfigFamily, vehicleDataFamily]) =>
  promoteRecords(
    families.map((family) => ({ family })),
    { force: true },
    ann,
  );
const releases = () => ReleaseModel.find({}).sort({ _id: 1 }).lean();
const groupsOf = async (release: number) =>
  (await FunctionalGroupModel.find({ release }).sort({ _id: 1 }).lean()).map(({ _id, status }) => [_id, status]);

describe("releases of the official promote routes", () => {
  it("L1, L2: a promotion makes a release in its transaction, with what it did to production", async () => {
    await save("A", { rpcs: [rpcBody("Show", ["FULL"])] });
    await promote();
    await save("A", { is_default: true });
    await save("B");
    await promote();
    await save("A", { is_deleted: true });
    await promote();
    const [one, two, three] = await releases();
    expect(one).toMatchObject({
      _id: 1,
      kind: "direct",
      name: null,
      author: { actor: "admin", displayName: "Ann", isNameVerified: true },
      findings: [],
      items: [{ family: "group", key: "A", beforeId: null, afterId: 2, change: "add", summary: "first version" }],
    });
    expect(two?.items).toMatchObject([
      { key: "A", beforeId: 2, afterId: 5, change: "change", summary: "−RPC Show, is default: yes" },
      { key: "B", beforeId: null, afterId: 6, change: "add" },
    ]);
    expect(three?.items).toMatchObject([
      { key: "A", beforeId: 5, afterId: null, change: "delete", summary: "deleted" },
    ]);
    const audit = await AuditEventModel.find({ action: "releases.publish" }).sort({ _id: 1 }).lean();
    expect(audit.map(({ target, after, revision }) => [target, after, revision])).toEqual(
      [one, two, three].map((release) => [
        `release:${release?._id}`,
        { kind: "direct", items: release?.items.length },
        release?.revision,
      ]),
    );
  });

  it("L3: production records carry the number of the release that wrote them, staging ones none", async () => {
    await save("A");
    await promote();
    await save("A", { is_default: true });
    await promote();
    expect(await groupsOf(1)).toEqual([[2, "PRODUCTION"]]);
    expect(await groupsOf(2)).toEqual([[4, "PRODUCTION"]]);
    expect(await FunctionalGroupModel.countDocuments({ status: "STAGING", release: { $ne: null } })).toBe(0);
  });

  it("L1: a promotion that is refused or has nothing to do leaves no release, and no gap in the numbers", async () => {
    await save("A");
    await promote();
    await promote();
    await save("B");
    await store((tx) => storeModuleConfig(tx, "STAGING", { expirationTs: new Date(0) }));
    await expect(promote()).rejects.toThrow("The certificate has expired");
    await promote([groupFamily]);
    expect((await releases()).map(({ _id, items }) => [_id, items.map(({ key }) => key)])).toEqual([
      [1, ["A"]],
      [2, ["B"]],
    ]);
  });

  it("L1: lists what others need first", async () => {
    await store(async (tx) => {
      await storeModuleConfig(tx, "STAGING");
      await storeGroup(tx, { name: "Z" });
      await storeGroup(tx, { name: "Y" });
      await storeVehicleData(tx, "seat", "STAGING");
      await storeMessage(tx, "Seats", "STAGING");
    });
    await promote();
    const [release] = await releases();
    expect(release?.items.map(({ family, key }) => [family, key])).toEqual([
      ["message", "Seats"],
      ["vehicle_data", "seat"],
      ["group", "Y"],
      ["group", "Z"],
      ["module_config", ""],
    ]);
  });

  it("L2: a damaged record in production does not keep anybody from replacing it", async () => {
    await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
    await behind(ModuleConfigModel).updateMany({}, { $set: { endpoints: "damaged" } });
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    await promote([moduleConfigFamily]);
    const [, release] = await releases();
    expect(release?.items).toMatchObject([{ change: "change", summary: "replaces a damaged record" }]);
  });

  it("L1: a new pair of certificate and key is told by signs, never shown", async () => {
    const pem = (word: string) => `-----BEGIN ${word}-----`;
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    await promote([moduleConfigFamily]);
    const pair = { certificate: pem("CERTIFICATE"), privateKey: pem("PRIVATE KEY") };
    await store((tx) => storeModuleConfig(tx, "STAGING", pair));
    await promote([moduleConfigFamily]);
    const [, release] = await releases();
    expect(release?.items).toMatchObject([{ summary: "certificate added, private key added" }]);
    expect(JSON.stringify([await releases(), await AuditEventModel.find({}).lean()])).not.toContain("BEGIN");
  });
});

describe("databases and instances of an earlier version", () => {
  const options = { root: process.cwd(), publicBaseUrl: "https://policy.example.com", withExampleApps: false };

  it("L2: first data are the first release, all of them", async () => {
    await saveFirstData(options);
    const [release, ...others] = await releases();
    expect(others).toEqual([]);
    expect(release).toMatchObject({ _id: 1, kind: "first", author: { actor: "setup" } });
    expect(release?.items).toHaveLength(26 + 19 + 1);
    for (const model of [FunctionalGroupModel, ConsumerMessageModel, ModuleConfigModel]) {
      expect(await rawCollection(model).countDocuments({ release: { $ne: 1 } })).toBe(0);
    }
  });

  it("L2: a database of an earlier version gets its production as release 1, history included, times as they were", async () => {
    await saveFirstData(
      options,
      steps.filter(({ number }) => number < 10),
    );
    await store(async (tx) => {
      await storeGroup(tx, { name: "Old", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Old", status: "PRODUCTION", isDefault: true });
      await storeGroup(tx, { name: "Gone", status: "PRODUCTION", isDeleted: true });
      await storeGroup(tx, { name: "Waiting" });
    });
    const times = async () => (await FunctionalGroupModel.find({}).sort({ _id: 1 }).lean()).map((one) => one.updatedAt);
    const before = await times();
    expect(await saveFirstData(options)).toEqual(["first release"]);
    expect(await times()).toEqual(before);
    const [release] = await releases();
    const keys = release?.items.map(({ key }) => key) ?? [];
    expect(keys.filter((key) => ["Old", "Gone", "Waiting"].includes(key))).toEqual(["Old"]);
    expect(await FunctionalGroupModel.countDocuments({ status: "PRODUCTION", release: { $ne: 1 } })).toBe(0);
    expect(await FunctionalGroupModel.countDocuments({ release: 1 })).toBe(26 + 3);
    expect(await saveFirstData(options)).toEqual([]);
  });

  it("L2: what an older instance has promoted meanwhile becomes a release of its own, of an unknown author", async () => {
    await save("A");
    await promote();
    // As a version without releases writes.
    const [one, other] = await store(async (tx) => [
      await storeGroup(tx, { name: "A", status: "PRODUCTION", isDefault: true }),
      await storeGroup(tx, { name: "Other", status: "PRODUCTION" }),
    ]);
    await store((tx) => storeGroup(tx, { name: "Other", status: "PRODUCTION", isDeleted: true }));
    await save("B");
    await promote();
    const [, adopted, own] = await releases();
    expect(adopted).toMatchObject({ _id: 2, kind: "direct", author: null });
    expect(adopted?.items).toMatchObject([
      { key: "A", beforeId: 2, afterId: one, change: "change" },
      { key: "Other", beforeId: null, afterId: null, change: "delete" },
    ]);
    expect(own).toMatchObject({ _id: 3, author: { displayName: "Ann" }, items: [{ key: "B" }] });
    expect((await groupsOf(2)).map(([id]) => id)).toEqual(expect.arrayContaining([one, other]));
  });

  it("L2: two instances that promote at once make two releases, each with its own items", async () => {
    await save("A");
    await save("B");
    const ids = (await FunctionalGroupModel.find({}).sort({ _id: 1 }).lean()).map(({ _id }) => _id);
    await Promise.all(
      ids.map((id) => promoteRecords([{ family: groupFamily, ids: [id] }], { force: true }, testContext)),
    );
    const made = await releases();
    expect(made.map(({ _id }) => _id)).toEqual([1, 2]);
    expect(made.flatMap(({ items }) => items.map(({ key }) => key)).sort()).toEqual(["A", "B"]);
  });
});
