import { beforeEach, describe, expect, it } from "vitest";
import * as action from "@/app/api/v1/applications/action/route";
import * as administrator from "@/app/api/v1/applications/administrator/route";
import * as auto from "@/app/api/v1/applications/auto/route";
import * as hybrid from "@/app/api/v1/applications/hybrid/route";
import * as priority from "@/app/api/v1/applications/priority/route";
import * as passthrough from "@/app/api/v1/applications/passthrough/route";
import * as encryption from "@/app/api/v1/applications/rpcEncryption/route";
import * as service from "@/app/api/v1/applications/service/permission/route";
import { appPriorities } from "@/lib/vocabulary/terms";
import { readEntryFacts } from "@/lib/policy/table/app-policies";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import type { RouteHandler } from "@/app/_api/api-route";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import {
  findFlags,
  findVersion,
  raisesRevision,
  send,
  setFlags,
  storeApp,
  storeServiceType,
} from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";

withEmptyDatabase();

const done = { status: 200, message: null, data: {} };
const refused = (message: string) => ({ status: 400, message, data: {} });
const decide = (body: unknown) => send(action.POST, body);

describe("POST applications/action (4.1)", () => {
  it("stores status and message of this version only", async () => {
    const old = await storeApp("app-1");
    const id = await storeApp("app-1");
    expect(await decide({ id, approval_status: "STAGING", denial_message: "Not yet" })).toEqual(done);
    expect(await findVersion(id)).toMatchObject({ approvalStatus: "STAGING", denialMessage: "Not yet" });
    expect(await findVersion(old)).toMatchObject({ approvalStatus: "PENDING", denialMessage: null });
  });

  it.each([
    ["absent", {}],
    ["null", { denial_message: null }],
    ["empty", { denial_message: "" }],
  ])("clears the message when it is %s", async (_, members) => {
    const id = await storeApp("app-1", "LIMITED", { denialMessage: "No" });
    await decide({ id: String(id), approval_status: "LIMITED", ...members });
    expect(await findVersion(id)).toMatchObject({ denialMessage: null });
  });

  it("allows every transition", async () => {
    const id = await storeApp("app-1");
    const statuses = ["PENDING", "STAGING", "ACCEPTED", "LIMITED"];
    for (const from of statuses) {
      for (const to of statuses) {
        expect(await decide({ id, approval_status: from })).toEqual(done);
        expect(await decide({ id, approval_status: to })).toEqual(done);
        expect(await findVersion(id)).toMatchObject({ approvalStatus: to });
      }
    }
  });

  it("sets and lifts the blacklist flag; absent leaves it alone", async () => {
    const id = await storeApp("app-1");
    await decide({ id, approval_status: "LIMITED", blacklist: true });
    const flags = await findFlags("app-1");
    expect(flags).toMatchObject({ isBlacklisted: true, blacklistOrigin: "administrator" });
    expect(flags?.blacklistedTs).toBeInstanceOf(Date);
    await decide({ id, approval_status: "ACCEPTED" });
    expect(await findFlags("app-1")).toMatchObject({ isBlacklisted: true, blacklistedTs: flags?.blacklistedTs });
    await decide({ id, approval_status: "ACCEPTED", blacklist: false });
    expect(await findFlags("app-1")).toMatchObject({
      isBlacklisted: false,
      blacklistedTs: null,
      blacklistOrigin: null,
    });
  });

  it("keeps time and origin of an app that the directory has blacklisted", async () => {
    const id = await storeApp("app-1");
    const at = new Date("2026-01-01T00:00:00Z");
    await setFlags("app-1", { isBlacklisted: true, blacklistedTs: at, blacklistOrigin: "directory" });
    await decide({ id, approval_status: "LIMITED", blacklist: true });
    expect(await findFlags("app-1")).toMatchObject({ blacklistedTs: at, blacklistOrigin: "directory" });
  });

  it("is idempotent: the second time nothing is written", async () => {
    const id = await storeApp("app-1");
    const body = { id, approval_status: "ACCEPTED", denial_message: "Fine", blacklist: true };
    expect(await raisesRevision(() => decide(body))).toBe(true);
    const events = await AuditEventModel.countDocuments();
    expect(await raisesRevision(() => decide(body))).toBe(false);
    expect(await AuditEventModel.countDocuments()).toBe(events);
  });

  it("reaches the compiled policies: the app is read again", async () => {
    const id = await storeApp("app-1");
    const loader = createSnapshotLoader();
    expect((await loader.load()).apps.byUuid("app-1")?.accepted).toBeNull();
    await decide({ id, approval_status: "ACCEPTED" });
    expect((await loader.load()).apps.byUuid("app-1")?.accepted?.id).toBe(id);
  });

  it("writes an audit event with actor, route, request id, before and after", async () => {
    const id = await storeApp("app-1");
    await decide({ id, approval_status: "LIMITED", denial_message: "No", blacklist: true });
    expect(await AuditEventModel.find({ target: `application:${id}` }).lean()).toMatchObject([
      {
        actor: "admin",
        route: "POST /api/v1/x",
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        action: "applications.action",
        before: { approval_status: "PENDING", denial_message: null, is_blacklisted: false },
        after: { approval_status: "LIMITED", denial_message: "No", is_blacklisted: true },
      },
    ]);
  });

  it.each([
    [{ approval_status: "ACCEPTED", id: null }, "id and approval_status are required"],
    [{ approval_status: "ACCEPTED", id: 999 }, "Unknown application"],
    [{ approval_status: "ACCEPTED", id: -1 }, "Unknown application"],
    [{ approval_status: "ACCEPTED", id: 1, uuid: "app-2" }, "uuid does not match the application"],
  ])("refuses %j", async (body, message) => {
    expect(await storeApp("app-1")).toBe(1);
    expect(await raisesRevision(async () => expect(await decide(body)).toEqual(refused(message)))).toBe(false);
    expect(await findVersion(1)).toMatchObject({ approvalStatus: "PENDING" });
  });

  it("accepts a matching uuid, ignores version_id and unknown members", async () => {
    const id = await storeApp("app-1", "PENDING", { versionId: 12 });
    const body = { id, approval_status: "ACCEPTED", uuid: "app-1", version_id: "4711", x: { $set: 1 }, "a.b": 1 };
    expect(await decide(body)).toEqual(done);
    expect(await findVersion(id)).toMatchObject({ versionId: 12 });
  });

  it("stores $ in a message as it is, and refuses what nobody sees", async () => {
    const id = await storeApp("app-1");
    await decide({ id, approval_status: "LIMITED", denial_message: "$where{}" });
    expect(await findVersion(id)).toMatchObject({ denialMessage: "$where{}" });
    const hidden = await decide({ id, approval_status: "LIMITED", denial_message: "$where\u0000{}" });
    expect(hidden).toEqual(refused("denial_message must not hold U+0000 control character"));
  });
});

describe("feedback for the directory (directory.md P1 to P4)", () => {
  const elements = () => FeedbackModel.find().lean();

  it.each(["ACCEPTED", "LIMITED"])("is queued in the same transaction for %s", async (status) => {
    const id = await storeApp("app-1", "PENDING", { versionId: 913 });
    await decide({ id, approval_status: status, denial_message: "Because", blacklist: true });
    expect(await elements()).toMatchObject([
      { uuid: "app-1", versionId: 913, approvalStatus: status, notes: "Because", blacklist: true, attempts: 0 },
    ]);
  });

  it("keeps only the latest state of a version, and takes it back for PENDING and STAGING", async () => {
    const id = await storeApp("app-1", "PENDING", { versionId: 913 });
    await decide({ id, approval_status: "ACCEPTED" });
    await decide({ id, approval_status: "LIMITED", denial_message: "Changed my mind" });
    expect(await elements()).toMatchObject([{ approvalStatus: "LIMITED", notes: "Changed my mind" }]);
    await decide({ id, approval_status: "STAGING" });
    expect(await elements()).toEqual([]);
  });

  it("is not queued for a version without a number, nor for a request that is refused", async () => {
    const id = await storeApp("app-1", "PENDING", { versionId: null });
    await decide({ id, approval_status: "ACCEPTED" });
    await decide({ id, approval_status: "LIMITED", uuid: "other" });
    expect(await elements()).toEqual([]);
  });
});

describe.each([
  ["auto (4.2)", auto.POST, "is_auto_approved_enabled", "isAutoApprovedEnabled"],
  ["administrator (4.3)", administrator.POST, "is_administrator_app", "isAdministratorApp"],
  ["passthrough (4.4)", passthrough.POST, "allow_unknown_rpc_passthrough", "allowUnknownRpcPassthrough"],
] as const)("POST applications/%s", (_, handler: RouteHandler, member, stored) => {
  it("sets and clears the flag of the app, once each", async () => {
    const id = await storeApp("app-1", "STAGING");
    for (const value of [true, false]) {
      const body = { uuid: "app-1", [member]: value };
      expect(await raisesRevision(async () => expect(await send(handler, body)).toEqual(done))).toBe(true);
      expect(await findFlags("app-1")).toMatchObject({ [stored]: value });
      expect(await raisesRevision(async () => expect(await send(handler, body)).toEqual(done))).toBe(false);
    }
    expect(await findVersion(id)).toMatchObject({ approvalStatus: "STAGING" });
  });

  it("refuses another body", async () =>
    expect(await send(handler, {})).toEqual(refused(`uuid (string) and ${member} (boolean) are required`)));

  it.each(["app-2", "APP-1", "a\u0000b"])("knows no app %j", async (uuid) => {
    await storeApp("app-1");
    expect(await send(handler, { uuid, [member]: true })).toEqual(refused("Unknown application"));
    expect(await findFlags(uuid)).toBeNull();
  });
});

const turn = (is_auto_approved_enabled: boolean) => send(auto.POST, { uuid: "app-1", is_auto_approved_enabled });

it("POST applications/auto (4.2) while versions wait: finding D3: says which versions wait all the same, whenever it is on", async () => {
  const first = await storeApp("app-1");
  await storeApp("app-1", "LIMITED");
  const last = await storeApp("app-1");
  await storeApp("app-2");
  const message = "Automatic approval applies to later versions; these still need a decision";
  const waiting = { status: 200, message: null, data: { message, pending_ids: [first, last] } };
  expect(await turn(true)).toEqual(waiting);
  expect(await turn(true)).toEqual(waiting);
  expect(await findVersion(last)).toMatchObject({ approvalStatus: "PENDING" });
  expect(await turn(false)).toEqual(done);
});

describe.each([
  ["hybrid (4.5)", hybrid.POST, "hybrid_preference", "hybridAppPreference", ["CLOUD", "MOBILE", "BOTH"]],
  ["priority (4.8)", priority.POST, "priority", "priority", appPriorities],
] as const)("POST applications/%s", (_, handler: RouteHandler, member, stored, values) => {
  it.each(values)("stores %s", async (value) => {
    await storeApp("app-1");
    const body = { uuid: "app-1", [member]: value };
    expect(await send(handler, body)).toEqual(done);
    expect(await findFlags("app-1")).toMatchObject({ [stored]: value });
    expect(await raisesRevision(() => send(handler, body))).toBe(false);
  });

  it("refuses values that head units do not know, and unknown apps", async () => {
    await storeApp("app-1");
    const sentence = `uuid (string) and ${member} (${values.slice(0, -1).join(", ")} or ${values.at(-1)}) are required`;
    for (const value of [undefined, null, "", "PROJECTION", values[0].toLowerCase()]) {
      expect(await send(handler, { uuid: "app-1", [member]: value })).toEqual(refused(sentence));
    }
    expect(await send(handler, { uuid: "nobody", [member]: values[0] })).toEqual(refused("Unknown application"));
  });
});

it("A6: the priority of an app is in its entry and in the audit trail", async () => {
  await storeApp("app-1", "ACCEPTED");
  for (const [before, after] of [
    [null, "NAVIGATION"],
    ["NAVIGATION", "NONE"],
  ] as const) {
    await send(priority.POST, { uuid: "app-1", priority: after });
    expect((await AuditEventModel.find().sort({ _id: -1 }).lean())[0]).toMatchObject({
      ...{ action: "applications.priority", target: "app:app-1" },
      ...{ before: { priority: before }, after: { priority: after } },
    });
    const app = (await createSnapshotLoader().load()).apps.byUuid("app-1");
    expect(app?.accepted && readEntryFacts(app, app.accepted, new Map())).toMatchObject({ priority: after });
  }
});

describe("PUT applications/rpcEncryption (4.6)", () => {
  const encrypt = (body: unknown) => send(encryption.PUT, body, "PUT");

  it("holds for this version only, whatever its status", async () => {
    const old = await storeApp("app-1", "ACCEPTED");
    const id = await storeApp("app-1", "ACCEPTED");
    expect(await encrypt({ id: String(old), encryption_required: true })).toEqual(done);
    expect(await findVersion(old)).toMatchObject({ encryptionRequired: true });
    expect(await findVersion(id)).toMatchObject({ encryptionRequired: false });
    expect(await raisesRevision(() => encrypt({ id: old, encryption_required: true }))).toBe(false);
  });

  it.each([
    [{}, "id and encryption_required (boolean) are required"],
    [{ id: 99, encryption_required: true }, "Unknown application"],
  ])("refuses %j", async (body, message) => expect(await encrypt(body)).toEqual(refused(message)));
});

describe("PUT applications/service/permission (4.7)", () => {
  const set = (body: unknown) => send(service.PUT, body, "PUT");
  const services = [{ name: "MEDIA", displayName: "Media", serviceNames: ["x"], selectedPermissions: [] as string[] }];
  const grant = (id: number, permission: string, isSelected = true) =>
    set({ id, is_selected: isSelected, service_type_name: "MEDIA", permission_name: permission });
  const selected = async (id: number) => (await findVersion(id))?.services[0]?.selectedPermissions;
  beforeEach(() => storeServiceType("MEDIA", ["ButtonPress", "OnButtonPress"]));

  it("grants and revokes, once each, and keeps the rest of the service", async () => {
    const id = await storeApp("app-1", "PENDING", { services });
    expect(await grant(id, "OnButtonPress")).toEqual(done);
    expect(await grant(id, "ButtonPress")).toEqual(done);
    expect(await selected(id)).toEqual(["ButtonPress", "OnButtonPress"]);
    expect(await raisesRevision(() => grant(id, "ButtonPress"))).toBe(false);
    expect(await grant(id, "OnButtonPress", false)).toEqual(done);
    expect((await findVersion(id))?.services).toMatchObject([{ ...services[0], selectedPermissions: ["ButtonPress"] }]);
  });

  it("revoking what is not stored is nothing", async () => {
    const id = await storeApp("app-1", "PENDING", { services });
    expect(await raisesRevision(async () => expect(await grant(id, "Nothing", false)).toEqual(done))).toBe(false);
    const body = { id, is_selected: false, service_type_name: "WEATHER", permission_name: "ButtonPress" };
    expect(await set(body)).toEqual(done);
  });

  it("is fixed once the version is accepted", async () => {
    const id = await storeApp("app-1", "ACCEPTED", { services });
    const sentence = "Service permissions of an accepted version are fixed";
    expect(await grant(id, "ButtonPress")).toEqual(refused(sentence));
    expect(await grant(id, "ButtonPress", false)).toEqual(refused(sentence));
  });

  it("grants only what a provided service type offers [Δ13]", async () => {
    const id = await storeApp("app-1", "PENDING", { services });
    await storeServiceType("WEATHER", ["ButtonPress"]);
    expect(await grant(id, "Alert")).toEqual(refused("Unknown service permission"));
    const body = { id, is_selected: true, service_type_name: "WEATHER", permission_name: "ButtonPress" };
    expect(await set(body)).toEqual(refused("Unknown service permission"));
  });

  it("refuses another body, and another app", async () => {
    const sentence = "id, is_selected (boolean), service_type_name (string) and permission_name (string) are required";
    expect(await set({})).toEqual(refused(sentence));
    expect(await grant(4711, "ButtonPress")).toEqual(refused("Unknown application"));
  });
});
