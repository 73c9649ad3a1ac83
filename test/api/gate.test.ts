import mongoose, { type Model } from "mongoose";
import { beforeEach, describe, expect, it } from "vitest";
import * as encryptionRoute from "@/app/api/v1/applications/rpcEncryption/route";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as administratorRoute from "@/app/api/v1/applications/administrator/route";
import * as priorityRoute from "@/app/api/v1/applications/priority/route";
import * as passthroughRoute from "@/app/api/v1/applications/passthrough/route";
import * as exchangeRoute from "@/app/api/v1/exchange/route";
import * as approvalRoute from "@/app/api/v1/releases/approvals/[id]/route";
import * as freezeRoute from "@/app/api/v1/releases/freeze/route";
import * as scheduledRoute from "@/app/api/v1/releases/scheduled/[id]/route";
import * as releasesRoute from "@/app/api/v1/releases/route";
import { appPriorities } from "@/lib/vocabulary/terms";
import { inTransaction } from "@/lib/platform/db/transaction";
import { readRevision } from "@/lib/platform/db/revision";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { ApplicationModel } from "@/models/application";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { findFlags, findVersion, storeApp } from "@/test/support/applications";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRecord, processNow } from "@/test/support/directory";
import { asPerson, callAs, usePeople } from "@/test/support/people";
import { publishAll, publishFirst, stageGroup } from "@/test/support/releases";
import { useSettings } from "@/test/support/settings";

/* The one gate before production (`gate.md`). */

withDatabase();
beforeEach(async () => {
  useSettings({});
  await emptyDatabase();
  await publishFirst();
});

const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const paula = asPerson("Paula", "publisher");
const peter = asPerson("Peter", "publisher");
const ada = asPerson("Ada", "admin");
const eddie = asPerson("Eddie", "editor");
const twoPersons = { PUBLISH_APPROVALS: "all" };
const alert = { name: "Alert", selected: true, hmi_levels: [{ value: "FULL", selected: true }], parameters: [] };
const approve = (id: number) => callAs(peter, approvalRoute.POST, { method: "POST", params: { id: String(id) } });
const look = async (id: number) =>
  (await callAs(peter, approvalRoute.GET, { method: "GET", params: { id: String(id) } })).data;
const bring = (who: Record<string, string>, app: object) =>
  callAs(who, exchangeRoute.POST, { body: { document: { format: "open-policy/1", apps: [{ uuid, ...app }] } } });
async function freeze(): Promise<void> {
  const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  expect((await callAs(ada, freezeRoute.PUT, { method: "PUT", body: { from, to, reason: "Fair" } })).status).toBe(200);
}
const doors = (id: number) => ({
  accept: () => callAs(paula, actionRoute.POST, { body: { id, approval_status: "ACCEPTED" } }),
  administrator: () => callAs(paula, administratorRoute.POST, { body: { uuid, is_administrator_app: true } }),
  passthrough: () => callAs(paula, passthroughRoute.POST, { body: { uuid, allow_unknown_rpc_passthrough: true } }),
  priority: (priority = "NORMAL") => callAs(paula, priorityRoute.POST, { body: { uuid, priority } }),
  encryption: () => callAs(paula, encryptionRoute.PUT, { method: "PUT", body: { id, encryption_required: false } }),
  import: () => bring(paula, { is_administrator_app: true, versions: [] }),
});

describe("W3: nothing reaches production past the gate", () => {
  const records: readonly Model<any>[] = [
    FunctionalGroupModel,
    ConsumerMessageModel,
    ModuleConfigModel,
    CustomVehicleDataModel,
  ];

  it.each(records.map((model) => ({ name: model.modelName, model })))(
    "a $name without a release",
    async ({ model }) => {
      const before = await readRevision();
      const write = inTransaction(testContext, (tx) =>
        model.collection.insertOne({ _id: 9_999 as never, status: "PRODUCTION" }, { session: tx.session }),
      );
      await expect(write).rejects.toThrow("PRODUCTION records were written without a release");
      expect(await model.collection.countDocuments({ _id: 9_999 as never })).toBe(0);
      expect(await readRevision()).toBe(before);
    },
  );

  it.each([
    {
      name: "a version",
      write: (session: object) => ApplicationModel.updateOne({}, { $set: { approvalStatus: "ACCEPTED" } }, session),
    },
    {
      name: "a flag",
      write: (session: object) => ApplicationFlagsModel.updateMany({}, { $set: { isBlacklisted: false } }, session),
    },
  ])("$name without a transaction, or without a new revision", async ({ write }) => {
    await storeApp(uuid, "PENDING");
    await expect(write({})).rejects.toThrow("written in a transaction only");
    const session = await mongoose.startSession();
    await expect(write({ session })).rejects.toThrow("written in a transaction only");
    await session.endSession();
    const quiet = inTransaction(testContext, async (tx) => {
      tx.keepRevision();
      await write({ session: tx.session });
    });
    await expect(quiet).rejects.toThrow("without a new revision");
    expect(await ApplicationModel.findOne({ uuid }).lean()).toMatchObject({ approvalStatus: "PENDING" });
  });
});

describe("W4: who may do what alone", () => {
  it("G3, G1: no door gives an app more without the second person, and each asks for them or refuses", async () => {
    await stageGroup("Admins", { is_administrator_group: true, rpcs: [alert] });
    await publishAll();
    const id = await storeApp(uuid, "PENDING", { encryptionRequired: true });
    usePeople(twoPersons);
    const { accept, ...flags } = doors(id);
    const asked = await accept();
    expect([asked.status, asked.data.approval.kind]).toEqual([409, "decision"]);
    expect((await approve(asked.data.approval.id)).status).toBe(200);
    expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
    for (const door of [flags.administrator, flags.passthrough, () => flags.priority()]) {
      const { status, data } = await door();
      expect([status, data.approval?.kind]).toEqual([409, "flag"]);
    }
    expect(await flags.import()).toMatchObject({
      status: 200,
      data: { items: [], approval: { id: expect.any(Number) } },
    });
    expect(await findFlags(uuid)).toMatchObject({
      isAdministratorApp: false,
      allowUnknownRpcPassthrough: false,
      priority: null,
    });
    expect((await approve((await flags.passthrough()).data.approval.id)).status).toBe(200);
    expect(await findFlags(uuid)).toMatchObject({ allowUnknownRpcPassthrough: true });
  });

  it("G1: a file that does not mention a block does not lift it, and one that does needs the second person", async () => {
    const id = await storeApp(uuid, "ACCEPTED");
    const block = { id, approval_status: "ACCEPTED", blacklist: true };
    usePeople(twoPersons);
    expect((await callAs(eddie, actionRoute.POST, { body: block })).status).toBe(200);
    const versions = [{ version: (await findVersion(id))?.versionId ?? null, approval_status: "ACCEPTED" }];
    expect((await bring(paula, { versions })).status).toBe(200);
    expect(await findFlags(uuid)).toMatchObject({ isBlacklisted: true });
    expect((await bring(eddie, { versions, is_blacklisted: false })).status).toBe(403);
    expect((await bring(paula, { versions, is_blacklisted: false })).data.approval).toBeDefined();
    expect(await findFlags(uuid)).toMatchObject({ isBlacklisted: true });
    usePeople();
    expect((await bring(paula, { versions, is_blacklisted: false })).status).toBe(200);
    expect(await findFlags(uuid)).toMatchObject({ isBlacklisted: false });
  });

  it("G8: a file asks for everything that gives apps more as one request, and imports the rest at once", async () => {
    const [wider, blocked, later] = [1, 2, 3].map((at) => `33333333-aaaa-4bbb-8ccc-00000000000${at}`) as [
      string,
      string,
      string,
    ];
    for (const one of [wider, blocked, later]) await storeApp(one, "ACCEPTED");
    usePeople(twoPersons);
    const group = { name: "Seats", rpcs: [{ name: "Alert", hmi_levels: ["FULL"] }] };
    const apps = [
      { uuid: wider.toUpperCase(), allow_unknown_rpc_passthrough: true, versions: [] },
      { uuid: blocked, is_blacklisted: true, versions: [] },
      { uuid: later, is_auto_approved_enabled: true, versions: [] },
    ];
    const document = { format: "open-policy/1", groups: [group], apps };
    const { data: plan } = await callAs(paula, exchangeRoute.POST, { body: { document, dry_run: true } });
    const planned = plan.items.map(({ family, key, digest }: any) => ({ family, key, digest }));
    const { data } = await callAs(paula, exchangeRoute.POST, { body: { document, planned } });
    expect(data.items.map(({ key }: any) => key)).toEqual(["Seats", blocked]);
    expect(data.left).toEqual(
      [wider, later].map(() =>
        expect.stringMatching(/ waits for approval by another person: \/changes\?approval=\d+$/),
      ),
    );
    expect(await findFlags(blocked)).toMatchObject({ isBlacklisted: true });
    for (const one of [wider, later]) {
      expect(await findFlags(one)).not.toMatchObject({ allowUnknownRpcPassthrough: true });
      expect(await findFlags(one)).not.toMatchObject({ isAutoApprovedEnabled: true });
    }
    expect(await look(data.approval.id)).toMatchObject({
      approval: { title: "Import decisions about 2 apps", void_because: null, refusal: null },
      items: [
        { key: wider, fields: [{ path: "allow_unknown_rpc_passthrough", before: false, after: true }] },
        { key: later, fields: [{ path: "is_auto_approved_enabled", before: false, after: true }] },
      ],
      effect: { apps_changed: 1 },
    });
    expect((await callAs(paula, exchangeRoute.POST, { body: { document } })).data.approval.id).toBe(data.approval.id);
    expect(
      (await callAs(paula, approvalRoute.POST, { method: "POST", params: { id: String(data.approval.id) } })).status,
    ).toBe(403);
    expect((await approve(data.approval.id)).status).toBe(200);
    expect(await findFlags(wider)).toMatchObject({ allowUnknownRpcPassthrough: true });
    expect(await findFlags(later)).toMatchObject({ isAutoApprovedEnabled: true });
    expect((await callAs(paula, exchangeRoute.POST, { body: { document } })).data).toMatchObject({
      items: [],
      left: [],
    });
  });

  it("G8: a file's request is void once its apps have moved, and is told as such", async () => {
    await storeApp(uuid, "ACCEPTED");
    usePeople(twoPersons);
    const { data } = await bring(paula, {
      is_administrator_app: true,
      allow_unknown_rpc_passthrough: true,
      versions: [],
    });
    usePeople();
    expect((await doors(0).passthrough()).status).toBe(200);
    usePeople(twoPersons);
    const moved = expect.stringContaining("has changed since it was asked for");
    expect((await look(data.approval.id)).approval.void_because).toEqual(moved);
    expect(await approve(data.approval.id)).toMatchObject({ status: 409, message: moved });
    expect(await findFlags(uuid)).toMatchObject({ isAdministratorApp: false });
  });

  it("what takes away waits for nobody: a block, a flag switched off, a version that is limited", async () => {
    const id = await storeApp(uuid, "ACCEPTED");
    usePeople();
    expect((await doors(id).passthrough()).status).toBe(200);
    usePeople(twoPersons);
    const off = { uuid, allow_unknown_rpc_passthrough: false };
    expect((await callAs(paula, passthroughRoute.POST, { body: off })).status).toBe(200);
    expect((await callAs(paula, actionRoute.POST, { body: { id, approval_status: "LIMITED" } })).status).toBe(200);
    const block = { id, approval_status: "LIMITED", blacklist: true };
    expect((await callAs(eddie, actionRoute.POST, { body: block })).status).toBe(200);
  });

  it("W9: a higher priority is more and waits for the second person, a lower one is less and does not", async () => {
    const id = await storeApp(uuid, "ACCEPTED");
    usePeople(twoPersons);
    const { priority } = doors(id);
    const [highest, ...lower] = appPriorities;
    expect((await priority("NONE")).status).toBe(200);
    for (const wider of [...lower.toReversed().slice(1), highest]) {
      const { status, data } = await priority(wider);
      expect([status, data.approval?.title]).toEqual([
        409,
        expect.stringMatching(`^Set the priority of .+ to ${wider}$`),
      ]);
      expect((await bring(paula, { priority: wider, versions: [] })).data.approval).toBeDefined();
      expect(await look(data.approval.id)).toMatchObject({
        items: [{ summary: "setting", fields: [{ path: "priority", after: wider }] }],
        effect: { apps_changed: 1 },
      });
      expect((await approve(data.approval.id)).status).toBe(200);
      expect(await findFlags(uuid)).toMatchObject({ priority: wider });
    }
    for (const narrower of lower) expect((await priority(narrower)).status).toBe(200);
  });

  it("G6: in a freeze no app gets more, and every app can be stopped", async () => {
    const id = await storeApp(uuid, "PENDING");
    usePeople();
    await freeze();
    const frozen = { status: 409, message: expect.stringContaining("Publishing is frozen until") };
    expect(await doors(id).accept()).toMatchObject(frozen);
    const accepted = await storeApp("22222222-aaaa-4bbb-8ccc-000000000002", "ACCEPTED");
    const body = { uuid: "22222222-aaaa-4bbb-8ccc-000000000002", allow_unknown_rpc_passthrough: true };
    expect(await callAs(paula, passthroughRoute.POST, { body })).toMatchObject(frozen);
    const block = { id: accepted, approval_status: "LIMITED", blacklist: true };
    expect((await callAs(eddie, actionRoute.POST, { body: block })).status).toBe(200);
    expect((await callAs(eddie, actionRoute.POST, { body: { id, approval_status: "STAGING" } })).status).toBe(200);
  });
});

it("P9, W2: what was scheduled before two persons were required is not published by itself", async () => {
  await stageGroup("Seats", { is_default: true, rpcs: [alert] });
  usePeople();
  const at = new Date(Date.now() + 60_000).toISOString();
  expect((await callAs(paula, releasesRoute.POST, { body: { items: "all", at } })).status).toBe(200);
  usePeople(twoPersons);
  expect(await publishDue(new Date(Date.now() + 120_000))).toMatchObject([
    { reason: "Changing production needs the approval of another person" },
  ]);
});

it("D17: what the app directory would have accepted waits while publishing is frozen, and is accepted afterwards", async () => {
  usePeople();
  const automatic = { settings: { autoApproveAllApps: true, encryptionRequired: false } };
  await freeze();
  const hold = expect.stringContaining("Publishing is frozen until");
  expect(await processNow([aRecord("app-1")], automatic)).toMatchObject([
    { kind: "stored", approvalStatus: "PENDING", holds: [hold] },
  ]);
  expect((await callAs(ada, freezeRoute.PUT, { method: "PUT", body: { reason: null } })).status).toBe(200);
  expect(await processNow([aRecord("app-2")], automatic)).toMatchObject([{ approvalStatus: "ACCEPTED", holds: [] }]);
});

describe("W5: what is approved is what was shown", () => {
  it("G4: a version that was changed after it was asked for is not accepted", async () => {
    const id = await storeApp(uuid, "PENDING", { encryptionRequired: true });
    usePeople(twoPersons);
    const { data } = await doors(id).accept();
    expect((await doors(id).encryption()).status).toBe(200);
    expect(await approve(data.approval.id)).toMatchObject({
      status: 409,
      message: `What production would get has changed since it was asked for (app ${uuid}): it must be asked for again`,
    });
    expect((await findVersion(id))?.approvalStatus).toBe("PENDING");
    expect(await approve((await doors(id).accept()).data.approval.id)).toMatchObject({ status: 200, message: null });
  });

  it("what is to be published later must be what was shown, too", async () => {
    await stageGroup("Seats", { is_default: true, rpcs: [alert] });
    usePeople(twoPersons);
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { data } = await callAs(paula, releasesRoute.POST, { body: { items: "all", at } });
    await storeApp(uuid, "ACCEPTED", { permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }] });
    expect(await approve(data.approval.id)).toMatchObject({
      status: 409,
      message: expect.stringContaining(`has changed since it was asked for (app ${uuid})`),
    });
    expect(await ScheduledReleaseModel.countDocuments()).toBe(0);
  });

  it("G4: what was approved for a day is not moved to an earlier one", async () => {
    await stageGroup("Seats", { is_default: true, rpcs: [alert] });
    usePeople(twoPersons);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const { data } = await callAs(paula, releasesRoute.POST, { body: { items: "all", at: inDays(60) } });
    const [{ id }] = (await approve(data.approval.id)).data.scheduled;
    const move = (at: string) =>
      callAs(paula, scheduledRoute.PATCH, { method: "PATCH", body: { at }, params: { id: String(id) } });
    expect(await move(inDays(1))).toMatchObject({ status: 409, message: expect.stringContaining("asked for again") });
    expect((await move(inDays(70))).status).toBe(200);
    expect((await move(inDays(61))).status).toBe(200);
  });
});
