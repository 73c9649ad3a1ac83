import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as action from "@/app/api/v1/applications/action/route";
import { log } from "@/lib/platform/log";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { environments, type Environment } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import { compiled, answerText, shortenedTable } from "@/test/support/answers";
import { findVersion, raisesRevision, send, storeApp } from "@/test/support/applications";
import { firstData } from "@/test/support/content";
import { withEmptyDatabase } from "@/test/support/database";
import { aRecord, processNow } from "@/test/support/directory";
import { store, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();
afterEach(() => vi.restoreAllMocks());

const automatic = { settings: { autoApproveAllApps: true, encryptionRequired: true } };
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const half = "a\ud800b";
const nul = "a\0b";

async function findRefused(uuids: readonly string[]): Promise<string[]> {
  const snapshot = await createSnapshotLoader().load();
  const refused: string[] = [];
  for (const environment of environments) {
    const policy = await compiled(snapshot, environment);
    const shortIds = uuids.flatMap((uuid) => snapshot.apps.byUuid(uuid)?.shortIds.map(({ shortId }) => shortId) ?? []);
    for (const [ids, isLong] of [[uuids, true] as const, [shortIds, false] as const]) {
      const apps = Object.fromEntries(ids.map((id) => [id, { enabled: true, auth_token: "t" }]));
      refused.push(
        ...checkPolicyTable(JSON.parse(answerText(policy, shortenedTable(apps, isLong))).data[0].policy_table)
          .filter(isUnfit)
          .map(({ path }) => path),
      );
    }
  }
  return refused;
}

const hostile: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ["a name of 300 bytes", { display_names: ["日".repeat(100)] }, ["display_names"]],
  ["300 names", { display_names: many(300, (index) => `n${index}`) }, ["display_names"]],
  ["a name with half a character", { display_names: [half] }, ["display_names"]],
  ["a name with a NUL", { display_names: [nul, "\0"] }, ["display_names"]],
  ["a NUL in the endpoint", { cloud_endpoint: nul }, ["cloud_endpoint"]],
  ["a NUL in the address of the icon", { icon_url: nul }, ["icon_url"]],
  ["a long endpoint", { cloud_endpoint: `wss://${"x".repeat(250)}` }, ["cloud_endpoint"]],
  ["half a character in the endpoint", { cloud_endpoint: half }, ["cloud_endpoint"]],
  ["a long transport type", { cloud_transport_type: "ü".repeat(128) }, ["cloud_transport_type"]],
  ["a long certificate", { ca_certificate: "x".repeat(65_536) }, ["ca_certificate"]],
  ["a long address of the icon", { icon_url: `https://e.com/${"x".repeat(65_535)}` }, ["icon_url"]],
  [
    "300 categories",
    { categories: many(300, (id) => ({ id: id + 1, name: "MEDIA" })), category: null },
    ["categories"],
  ],
  ["an unknown, long category", { categories: [{ id: 3, name: "X".repeat(300) }], category: null }, ["categories"]],
  ["300 services", { services: many(300, (index) => ({ name: `S${index}`, service_names: [] })) }, ["services"]],
  ["a long service", { services: [{ name: "S".repeat(256) }] }, ["services"]],
  [
    "300 service names, one of 765 bytes and one of half a character",
    { services: [{ name: "M", service_names: [...many(300, (index) => `n${index}`), "日".repeat(255), half] }] },
    ["services.M.service_names", "services.M.service_names"],
  ],
  [
    "hundreds of permissions, unknown ones and such of wrong types",
    { permissions: [...many(900, (index) => ({ key: `p${index}`, hmi_level: "HMI_FULL" })), { key: half }, 7, null] },
    [],
  ],
  ["wrong types", { display_names: 7, icon_url: {}, categories: "MEDIA", services: [[]], cloud_endpoint: 1 }, []],
];

describe("hostile records of the directory (rule D16)", () => {
  it("finding A1: reach no table, and what is cut is said with its app", async () => {
    await firstData(false);
    const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const apps = hostile.map(([title, members, fields], at) => ({ title, members, fields, uuid: `hostile-${at}` }));
    const records = apps.map(({ uuid, members }) => aRecord(uuid, members));
    const outcomes = await processNow([...records, aRecord("plain-app", {})], automatic);
    const accepted = { kind: "stored", approvalStatus: "ACCEPTED" };
    expect(outcomes).toMatchObject([...apps.map(() => accepted), { ...accepted, cuts: [] }]);
    expect(await findRefused([...apps.map(({ uuid }) => uuid), "plain-app"])).toEqual([]);
    for (const { uuid, title, fields } of apps) {
      const stored = await ApplicationModel.findOne({ uuid }).lean();
      const lines = warn.mock.calls.map(([details]) => details).filter((details) => isFieldOf(uuid, details));
      const event = await AuditEventModel.findOne({ action: "applications.store", target: `app:${uuid}` }).lean();
      const told = [stored?.cuts, lines].map((all) => all?.map(({ field }: any) => field));
      expect([title, ...told, event?.after.cut ?? []]).toEqual([title, fields, fields, [...new Set(fields)]]);
    }
  });

  it("finding A1: what an earlier version has stored breaks no table either", async () => {
    await firstData(false);
    await storeApp("old-app", "ACCEPTED", {
      displayNames: ["日".repeat(100), ...many(300, (index) => `n${index}`)],
      iconUrl: "x".repeat(65_536),
      cloudEndpoint: "x".repeat(256),
      cloudTransportType: "x".repeat(256),
      caCertificate: "x".repeat(65_536),
      categories: many(300, (id) => ({ id, name: "MEDIA", displayName: null })),
      services: many(300, (index) => ({
        ...{ name: `S${index}`, displayName: "S", selectedPermissions: [] },
        serviceNames: ["日".repeat(255), ...many(300, (nth) => `n${nth}`)],
      })),
    });
    expect(await findRefused(["old-app"])).toEqual([]);
  });
});

/** Apps that ask for `Show` get all of these; of groups that every app gets there is one. */
async function storeManyGroups(count: number): Promise<void> {
  await store(async (tx) => {
    const flags = { isDefault: true, isPreDataConsent: true, isDevice: true };
    await storeGroup(tx, { name: "Base", status: "PRODUCTION", ...flags, rpcs: [] });
    for (let index = 0; index < count; index++) await storeGroup(tx, { name: `G${index}`, status: "PRODUCTION" });
  });
}
const asksForShow = { permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }] };
const findingsOf = (environment: Environment, uuid: string) => ({
  ...{ environment, build: "both", severity: "refused", path: `app_policies.${uuid}.groups` },
});

describe("an entry that head units would refuse", () => {
  beforeEach(() => storeManyGroups(256));
  const decide = (body: unknown) => send(action.POST, body);

  it("finding A1: ACCEPTED is 409 with the findings and leaves no trace, until it is forced", async () => {
    const id = await storeApp("app-1", "PENDING", asksForShow);
    const raised = await raisesRevision(async () => {
      expect(await decide({ id, approval_status: "ACCEPTED" })).toMatchObject({
        status: 409,
        message: "Head units would refuse the policy table after this decision; send force: true to decide anyway",
        data: { findings: [findingsOf("staging", "app-1"), findingsOf("production", "app-1")] },
      });
    });
    expect(raised).toBe(false);
    expect(await findVersion(id)).toMatchObject({ approvalStatus: "PENDING" });
    expect(await FeedbackModel.countDocuments()).toBe(0);
    expect(await AuditEventModel.countDocuments({ action: "applications.action" })).toBe(0);
    expect(await decide({ id, approval_status: "ACCEPTED", force: true })).toMatchObject({ status: 200 });
    expect(await findVersion(id)).toMatchObject({ approvalStatus: "ACCEPTED" });
  });

  it("STAGING concerns the staging table only, PENDING and LIMITED none", async () => {
    const id = await storeApp("app-1", "PENDING", asksForShow);
    const refused = await decide({ id, approval_status: "STAGING" });
    expect(refused).toMatchObject({ status: 409, data: { findings: [findingsOf("staging", "app-1")] } });
    expect(refused.data.findings).toHaveLength(1);
    expect(await decide({ id, approval_status: "LIMITED" })).toMatchObject({ status: 200 });
    expect(await decide({ id, approval_status: "PENDING" })).toMatchObject({ status: 200 });
  });

  it("LIMITED and the end of a block count too, when they bring such a version back", async () => {
    const old = await storeApp("app-1", "ACCEPTED", asksForShow);
    const id = await storeApp("app-1", "ACCEPTED", { permissions: [] });
    expect(await decide({ id, approval_status: "LIMITED" })).toMatchObject({ status: 409 });
    await decide({ id, approval_status: "LIMITED", blacklist: true });
    expect(await decide({ id, approval_status: "LIMITED", blacklist: false })).toMatchObject({ status: 409 });
    // What vehicles have already is no reason to refuse something else.
    await decide({ id, approval_status: "LIMITED", blacklist: false, force: true });
    const next = await storeApp("app-1", "PENDING", asksForShow);
    expect(await decide({ id: next, approval_status: "ACCEPTED" })).toMatchObject({ status: 200 });
    expect(await findVersion(old)).toMatchObject({ approvalStatus: "ACCEPTED" });
  });

  it("finding A1: automatic approval stops (rule D17); version, log and audit say so until somebody decides", async () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const permissions = [{ key: "Show", hmi_level: "HMI_FULL" }];
    const mail = vi.fn();
    const outcomes = await processNow([aRecord("app-1", { permissions }), aRecord("app-2")], { ...automatic, mail });
    const reason = expect.stringContaining("there may be at most 255 elements, not 257");
    expect(outcomes).toMatchObject([{ approvalStatus: "PENDING", holds: [reason] }, { approvalStatus: "ACCEPTED" }]);
    expect(mail.mock.calls).toMatchObject([[{ name: "ClimaPal" }]]);
    const stored = await ApplicationModel.findOne({ uuid: "app-1" }).lean();
    expect(stored).toMatchObject({ approvalStatus: "PENDING", encryptionRequired: false, holds: [reason] });
    expect(warn.mock.calls).toContainEqual([
      expect.objectContaining({ uuid: "app-1", findings: [reason] }),
      "automatic approval stopped at a version",
    ]);
    const event = await AuditEventModel.findOne({ target: "app:app-1" }).lean();
    expect(event?.after).toMatchObject({ approval_status: "PENDING", automatic_approval_stopped: [reason] });
    await decide({ id: stored?._id, approval_status: "LIMITED" });
    expect(await findVersion(stored?._id ?? 0)).toMatchObject({ holds: [] });
  });
});

it("a view in which every app's entry is refused keeps nobody from deciding what repairs it", async () => {
  await store((tx) => storeGroup(tx, { name: "Device", status: "PRODUCTION", isDevice: true }));
  const id = await storeApp("app-1");
  expect(await send(action.POST, { id, approval_status: "ACCEPTED" })).toMatchObject({ status: 200 });
});

function isFieldOf(uuid: string, details: unknown): boolean {
  return typeof details === "object" && details !== null && "field" in details && Reflect.get(details, "uuid") === uuid;
}
