import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readRevision } from "@/lib/platform/db/revision";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, derivedMembers } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { LockModel } from "@/models/database/lock";
import { MigrationModel } from "@/models/database/migration";
import { ModuleConfigModel } from "@/models/module-config";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { behind, store, storeAppVersion, storeGroup } from "@/test/support/stored-records";

withDatabase({ prepare: false });

const options = { root: process.cwd(), publicBaseUrl: "https://policy.example.com", withExampleApps: true };
const everyStep = steps.map(({ name }) => name);

describe("an empty database (policy-table.md appendix A)", () => {
  let done: readonly string[] = [];
  beforeAll(async () => {
    done = await saveFirstData(options);
  });

  it("gets every step once, and a snapshot without damage", async () => {
    expect(done).toEqual(everyStep);
    const damages: unknown[] = [];
    const snapshot = await createSnapshotLoader({ report: (damage) => damages.push(damage) }).load();
    expect(damages).toEqual([]);
    expect(snapshot.revision).toBe(everyStep.length);
    expect(snapshot.groups.production).toHaveLength(26);
    expect(snapshot.groups.staging).toEqual(snapshot.groups.production);
    expect(snapshot.messages.production).toHaveLength(19);
    expect(snapshot.messages.production.map(({ languages }) => languages.length)).toEqual(Array(19).fill(20));
    expect(snapshot.permissions).toHaveLength(133);
    expect(snapshot.rpcSpec).toMatchObject({ version: "8.0.0" });
    expect([snapshot.apps.size, await ApplicationModel.countDocuments()]).toEqual([18, 19]);
    expect(await LanguageModel.countDocuments()).toBe(40);
    expect(await AuditEventModel.countDocuments({ action: "firstData.save" })).toBe(everyStep.length);
  });

  it("takes levels, parameters, flags and prompts of the groups as they are in the file", async () => {
    const { groups } = await createSnapshotLoader().load();
    const group = (name: string) => groups.production.find((candidate) => candidate.name === name);
    expect(group("Location-1")).toMatchObject({ userConsentPrompt: "Location", isDefault: false });
    expect(group("Location-1")?.rpcs.map(({ name, parameters }) => [name, parameters])).toEqual(
      ["GetVehicleData", "OnVehicleData", "SubscribeVehicleData", "UnsubscribeVehicleData"].map((name) => [
        name,
        ["gps", "speed"],
      ]),
    );
    expect(group("DataConsent-2")).toMatchObject({ isDevice: true, rpcs: [] });
    expect(group("BaseBeforeDataConsent")).toMatchObject({ isPreDataConsent: true });
    expect(group("WidgetSupport")).toMatchObject({ isWidgetGroup: true });
  });

  it("stores the module config of api.md 13.2 with addresses under the public base URL", async () => {
    const [config] = await ModuleConfigModel.find({}).lean();
    expect(config).toMatchObject({
      _id: 1,
      status: "PRODUCTION",
      exchangeAfterXKilometers: 1800,
      secondsBetweenRetries: [1, 5, 25, 125, 625],
      endpointProperties: [],
      certificate: null,
      privateKey: null,
      expirationTs: null,
    });
    expect(config?.endpoints).toEqual({
      "0x04": "https://policy.example.com/api/v1/softwareUpdate",
      queryAppsUrl: "https://policy.example.com/api/v1/queryApps",
      lock_screen_icon_url: "https://policy.example.com/images/lock-screen.png",
      custom_vehicle_data_mapping_url: "",
    });
  });

  it("keeps the RPC specification in document order, without functions that have no parameters (directory.md 3.7)", async () => {
    const specification = await RpcSpecificationModel.findOne({ _id: 1 }).lean();
    expect([specification?.enums.length, specification?.structs.length, specification?.functions.length]).toEqual([
      111, 121, 144,
    ]);
    const response = specification?.functions.find((f) => f.name === "GetVehicleData" && f.messageType === "response");
    expect(response?.params[0]).toMatchObject({ name: "success" });
  });

  it("stores the example apps with an administrator's decisions, short ids and service permissions (rules D4, D10)", async () => {
    const roadtune = await ApplicationModel.findOne({ name: "Roadtune" }).lean();
    expect(roadtune).toMatchObject({ shortUuid: "a0828ad458", approvalStatus: "ACCEPTED", versionId: 4107 });
    expect(roadtune?.services).toMatchObject([
      { name: "MEDIA", displayName: "Media", selectedPermissions: ["ButtonPress"] },
    ]);
    expect(await ApplicationFlagsModel.findOne({ uuid: roadtune?.uuid ?? "" }).lean()).toMatchObject({
      hybridAppPreference: "MOBILE",
      isBlacklisted: false,
      revision: 8,
    });
    expect(await ApplicationFlagsModel.find({ isBlacklisted: true }).lean()).toMatchObject([
      { blacklistOrigin: "administrator" },
    ]);
    expect(await ApplicationModel.findOne({ approvalStatus: "LIMITED" }).lean()).toMatchObject({
      denialMessage: expect.stringContaining("Recording"),
    });
  });

  it("is left as it is by a second start", async () => {
    const before = await readRevision();
    expect(await saveFirstData(options)).toEqual([]);
    expect(await readRevision()).toBe(before);
    expect(await FunctionalGroupModel.countDocuments()).toBe(26);
  });
});

describe("a database that holds data", () => {
  beforeEach(emptyDatabase);

  it("is never overwritten: a collection that holds records gets no first data", async () => {
    await store((tx) => storeGroup(tx, { name: "Own" }));
    await store((tx) => storeAppVersion(tx, "real-app", "PENDING"));
    await saveFirstData(options);
    expect((await FunctionalGroupModel.find({}).lean()).map(({ name }) => name)).toEqual(["Own"]);
    expect((await ApplicationModel.find({}).lean()).map(({ uuid }) => uuid)).toEqual(["real-app"]);
    expect(await ConsumerMessageModel.countDocuments()).toBe(19);
  });

  it("finding A7: keeps its messages and their languages, so that no table changes without a decision", async () => {
    const languages = [{ id: 1, languageId: "en-us", label: "Own" }];
    const own = { category: "Location", status: "PRODUCTION" as const, languages };
    await store(async (tx) => {
      const _id = await tx.nextId("consumer_messages");
      await ConsumerMessageModel.insertMany([{ _id, ...own }], { session: tx.session });
    });
    await saveFirstData(options);
    expect(await ConsumerMessageModel.find({}).lean()).toMatchObject([own]);
    expect(await ConsumerMessageModel.countDocuments()).toBe(1);
  });
});

describe("apps stored before a search looked at everything", () => {
  beforeEach(emptyDatabase);

  it("are found by it after the next start, however many transactions that takes", async () => {
    await saveFirstData({ ...options, withExampleApps: false });
    expect(await ApplicationModel.countDocuments()).toBe(0);
    await store((tx) => storeAppVersion(tx, "old-0", "ACCEPTED", { techEmail: "a0@b.example" }));
    const first = await ApplicationModel.findOne({ uuid: "old-0" }).lean();
    const more = Array.from({ length: 501 }, (_, at) => ({
      ...first,
      ...{ _id: (first?._id ?? 0) + at + 1, uuid: `old-${at + 1}`, techEmail: `a${at + 1}@b.example` },
    }));
    await behind(ApplicationModel).insertMany(more);
    expect(await ApplicationModel.countDocuments()).toBe(502);
    await ApplicationModel.updateMany({}, { $set: { searchText: "as it was" } });
    await MigrationModel.deleteOne({ _id: 9 });
    const before = await readRevision();
    expect(await saveFirstData({ ...options, withExampleApps: false })).toEqual(["what a search for apps looks at"]);
    expect(await readRevision()).toBe(before + 1);
    const stored = await ApplicationModel.find({}).lean();
    expect(stored.map(({ searchText }) => searchText)).toEqual(
      stored.map((one) => expect.stringMatching(new RegExp(`\\n${one.techEmail}\\n`))),
    );
    expect(stored.map(({ searchText }) => searchText)).toEqual(stored.map((one) => derivedMembers(one).searchText));
  });
});

describe("a start that was killed half-way", () => {
  beforeEach(emptyDatabase);

  it.each([0, 3, everyStep.length - 1])("is completed by the next one (killed in step %i)", async (at) => {
    const broken = steps.map((step, index) =>
      index < at
        ? step
        : {
            ...step,
            run: async (...parameters: Parameters<typeof step.run>) => {
              await step.run(...parameters);
              throw new Error("killed");
            },
          },
    );
    await expect(saveFirstData(options, broken)).rejects.toThrow("killed");
    expect(await MigrationModel.countDocuments()).toBe(at);
    expect(await readRevision()).toBe(at);
    expect(await saveFirstData(options)).toEqual(everyStep.slice(at));
    expect(await FunctionalGroupModel.countDocuments()).toBe(26);
    expect(await readRevision()).toBe(everyStep.length);
  });

  it("waits no longer than the lock of the dead process lasts", async () => {
    const lock = { _id: "first data", owner: "dead", expiresAt: new Date(Date.now() + 300) };
    await LockModel.insertMany([lock]);
    expect(await saveFirstData(options)).toEqual(everyStep);
    expect(await LockModel.countDocuments({ _id: lock._id })).toBe(0);
  });

  it("does each step once when two processes start together", async () => {
    const [first, second] = await Promise.all([saveFirstData(options), saveFirstData(options)]);
    expect([...first, ...second].toSorted()).toEqual(everyStep.toSorted());
    expect(await readRevision()).toBe(everyStep.length);
    expect(await FunctionalGroupModel.countDocuments()).toBe(26);
  });
});
