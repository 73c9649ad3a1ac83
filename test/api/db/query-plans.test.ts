import { beforeAll, describe, expect, it } from "vitest";
import { saveApproval } from "@/lib/apps/applications/approval";
import { saveAutoApproval } from "@/lib/apps/applications/commands";
import {
  findConsoleIds,
  loadConsoleList,
  loadListChoices,
  loadFilterChoices,
} from "@/lib/apps/applications/console/console-queries";
import { consoleListQuery, exportListQuery } from "@/lib/apps/applications/console/console-schema";
import { exportApplications } from "@/lib/apps/applications/console/export";
import { findAddressedVersion, loadApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { listApplicationGroups } from "@/lib/apps/applications/group-queries";
import { loadDirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { findApplications, loadApplications } from "@/lib/apps/applications/queries";
import { blacklistApplications, deleteApplications } from "@/lib/apps/applications/removal";
import { actionBody, applicationGroupsQuery, listApplicationsQuery } from "@/lib/apps/applications/schema";
import { saveApplicationFlags, saveApplicationVersions } from "@/lib/apps/applications/store-version";
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { listAuditEvents } from "@/lib/platform/audit/queries";
import { auditQuery } from "@/lib/platform/audit/schema";
import { saveAppContainer, isKnownApp } from "@/lib/certificates/app/app-container";
import { readDueApps, renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { findAppUuid } from "@/lib/certificates/app/on-demand";
import { loadCounters } from "@/app/_console/counters";
import { loadOverview } from "@/app/(console)/(overview)/queries";
import { findHeadIds, findHeads } from "@/lib/platform/db/heads";
import { withLock } from "@/lib/platform/db/lock";
import { listHistory } from "@/lib/releases/items/history";
import { findLastContent, listNames } from "@/lib/records/store/queries";
import { removeOldRecords } from "@/lib/apps/retention/commands";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { readRevision } from "@/lib/platform/db/revision";
import { silentReport } from "@/lib/platform/process/task-report";
import { syncCategories, syncPermissions, syncServiceTypes } from "@/lib/apps/directory/lists/list-commands";
import type { DirectoryPermission } from "@/lib/apps/directory/answers/list-schemas";
import {
  applicationQueue,
  findLastError,
  findOwned,
  loadQueueState,
  queueApplication,
  queueMalformed,
  removeUntouched,
} from "@/lib/apps/directory/queue/application-queue";
import { repeatFeedback } from "@/lib/apps/directory/queue/feedback-sender";
import { noteMissedRemoval } from "@/lib/apps/directory/client/reading";
import { feedbackQueue, saveFeedbacks } from "@/lib/apps/applications/feedback";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import { saveGroup } from "@/lib/records/groups/commands";
import { loadGroupList } from "@/lib/records/groups/console-queries";
import { groupListQuery, groupPageQuery } from "@/lib/records/groups/console-schema";
import { findGroupPage } from "@/lib/records/groups/editor-queries";
import { findGroup, listGroupNames, listGroups, loadGroupTemplate } from "@/lib/records/groups/queries";
import { findNewest } from "@/lib/records/newest";
import { listGroupsQuery, saveGroupBody, unmappedQuery } from "@/lib/records/groups/schema";
import { saveMessages } from "@/lib/records/messages/commands";
import { findMessageOfPage, listTakenNames, loadMessageOverview } from "@/lib/records/messages/console-queries";
import { messagesPageQuery } from "@/lib/records/messages/console-schema";
import { findMessage, listMessages, loadMessageTemplate } from "@/lib/records/messages/queries";
import { listMessagesQuery, saveMessagesBody } from "@/lib/records/messages/schema";
import { listUncovered, listUnmapped } from "@/lib/records/groups/coverage";
import { promote } from "@/lib/releases/approvals/request-approval";
import { loadWireModuleConfigs } from "@/lib/records/module-config/queries";
import { moduleConfigQuery } from "@/lib/records/module-config/schema";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { syncLanguages, syncRpcSpecification } from "@/lib/records/rpc-specification/commands";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { findBestApplications, searchEverything } from "@/app/_search/queries";
import { listStoreApps } from "@/lib/apps/store/queries";
import { storeQuery } from "@/lib/apps/store/schema";
import { saveVehicleData } from "@/lib/records/vehicle-data/commands";
import { loadVehicleDataList } from "@/lib/records/vehicle-data/console-queries";
import { vehicleDataListQuery } from "@/lib/records/vehicle-data/console-schema";
import { findVehicleDataPage } from "@/lib/records/vehicle-data/editor-queries";
import { findGroupsUsing, loadWireTypes, loadWireVehicleData } from "@/lib/records/vehicle-data/queries";
import { vehicleDataBody, vehicleDataQuery } from "@/lib/records/vehicle-data/schema";
import { ApplicationModel } from "@/models/application";
import { createTestAuthority, useAuthority } from "@/test/support/authority";
import { testContext, withDatabase } from "@/test/support/database";
import { aRecord, plainProcessing, processNow } from "@/test/support/directory";
import { aDirectoryApplication } from "@/test/support/directory-records";
import { endStubs, serveHttp } from "@/test/support/http-stub";
import { describeQuery, explainStages, type SeenQuery, watchQueries } from "@/test/support/query-plans";
import { anRpcSpecification } from "@/test/support/rpc-specification";
import { store, storeGroup, storeModuleConfig, storeVehicleData } from "@/test/support/stored-records";

withDatabase();
endStubs();

const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true };
const undecided = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: false,
  encryptionRequired: false,
};
const applicationsQuery = (query: Record<string, string>) => listApplicationsQuery.parse(query);
const consoleList = (query: Record<string, string>) => loadConsoleList(consoleListQuery.parse(query));
const version = () => {
  const record = directoryApplication.parse(aDirectoryApplication({ uuid: "plan-app" }));
  return buildApplicationVersion(record, { defaults: undecided, serviceTypes: [], now: new Date() });
};

const withLists = { services: [{ name: "PLAN" }], category: { id: 99, name: "PLAN" } };
const gone = { deleted_ts: "2026-01-01T00:00:00.000Z" };
const banned = { blacklisted_ts: "2026-01-01T00:00:00.000Z" };
const oneApp = {
  // oxlint-disable-next-line typescript/require-await -- the contract is asynchronous
  applicationPages: async function* () {
    yield [aRecord("plan-3"), aRecord("plan-4", { name: null })];
  },
};
async function workQueueOff() {
  await queueApplication("plan-5");
  await findLastError("plan-5");
  const batch = (await applicationQueue.claim(50, 1_000)) ?? { claim: "", jobs: [] };
  await applicationQueue.renew(batch, 1_000);
  await applicationQueue.postpone(batch.claim, [{ _id: "plan-5", attempts: 1, dueAt: new Date(), reason: "plan" }]);
  await store((tx) => findOwned(tx, batch));
  await applicationQueue.finish(batch.claim, batch.jobs);
}
async function sendFeedbackOnce() {
  const decision = {
    uuid: "plan-2",
    versionId: 77,
    approvalStatus: "ACCEPTED",
    notes: null,
    blacklist: false,
  } as const;
  await store((tx) => saveFeedbacks(tx, [decision]));
  const batch = (await feedbackQueue.claim(4, 1_000)) ?? { claim: "", jobs: [] };
  await feedbackQueue.renew(batch, 1_000);
  await feedbackQueue.postpone(
    batch.claim,
    batch.jobs.map(({ _id }) => ({ _id, attempts: 1, dueAt: new Date(), reason: "plan" })),
  );
  await feedbackQueue.finish(batch.claim, batch.jobs);
  await repeatFeedback(testContext, decision);
}

const everyId = Array.from({ length: 1000 }, (_, index) => index + 1);
const planMessage = {
  message_category: "Plan",
  is_deleted: false,
  languages: [{ language_id: "en-us", selected: true }],
};

const planContainer = {
  container: "plan",
  expiresAt: new Date(),
  facts: { subject: "CN=plan", serialNumber: "01", days: 7, expiresAt: new Date(), keyFingerprint: "00" },
};

const planPermission: DirectoryPermission = {
  key: "Plan",
  type: "RPC",
  displayName: null,
  functionId: 1,
  parents: ["Show"],
};
const planCategory = { id: 77, name: "PLAN", displayName: null };
const planService = { name: "PLAN", displayName: "Plan", permissions: ["Show"] };
const listing = {
  permissions: () => Promise.resolve([planPermission]),
  categories: () => Promise.resolve([planCategory]),
  services: () => Promise.resolve([planService]),
};
const specificationUrl = async () => (await serveHttp(() => ({ body: anRpcSpecification() }))).url;

const planVehicleData = { name: "plan", key: "PLAN", type: "Integer" };

/** New queries belong here: each must find an index, or it walks through every document of a grown database. */
const queries: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
  ["preparing the database", () => prepareDatabase()],
  ["first data, again", () => saveFirstData(options)],
  ["the revision", () => readRevision()],
  [
    "the removal of old records",
    async () => {
      const remove = () => removeOldRecords(testContext, silentReport, { auditRetentionDays: 1 });
      await remove();
      await remove();
    },
  ],
  ["a lock", () => withLock("plan", { ttlMs: 1000, wait: true }, () => Promise.resolve())],
  ["heads of groups", () => findHeadIds("group", "staging")],
  ["heads of groups in production", () => findHeadIds("group", "production")],
  ["heads of messages", () => findHeads("message", "staging", { keys: ["Location"] })],
  ["heads of messages in production", () => findHeads("message", "production", { keys: ["Location"] })],
  ["heads of vehicle data", () => findHeadIds("vehicle_data", "staging")],
  ["heads of module configs", () => findHeadIds("module_config", "staging")],
  ["heads of module configs in production", () => findHeadIds("module_config", "production")],
  ["storing a version of an app", () => store((tx) => saveApplicationVersions(tx, [version()]))],
  ["a version that is stored already", () => store((tx) => saveApplicationVersions(tx, [version()]))],
  ["an app's flags", () => store((tx) => saveApplicationFlags(tx, "plan-app", { isBlacklisted: true }))],
  ["an app that is deleted", () => store((tx) => deleteApplications(tx, ["unknown"]))],
  ["an app that is blacklisted", () => store((tx) => blacklistApplications(tx, ["plan-blacklisted"]))],
  ["a list of apps", () => findApplications(applicationsQuery({}))],
  ["a list of apps by name, page by page", () => findApplications(applicationsQuery({ sort: "name", limit: "2" }))],
  ["a list of apps by time", () => findApplications(applicationsQuery({ sort: "-updated_ts", limit: "2" }))],
  ["pending apps", () => findApplications(applicationsQuery({ approval_status: "PENDING" }))],
  ["blacklisted apps", () => findApplications(applicationsQuery({ get_blacklist: "true" }))],
  ["a search for apps", () => findApplications(applicationsQuery({ search: "roadtune", limit: "2" }))],
  ["an app by uuid", () => findApplications(applicationsQuery({ uuid: "plan-app" }))],
  ["the console's list of apps that wait", () => consoleList({})],
  ["the console's list of accepted apps by name", () => consoleList({ state: "accepted", sort: "name" })],
  ["the console's list of blocked apps", () => consoleList({ state: "blocked" })],
  ["the console's list of all apps by waiting time", () => consoleList({ state: "all", sort: "waiting" })],
  ["the console's search for apps", () => consoleList({ state: "all", q: "road", transport: "WSS", perm: "Show" })],
  ["the console's list of apps that changed lately", () => consoleList({ updated: "month", sort: "-updated" })],
  ["the console's list of apps with a live version", () => consoleList({ state: "all", live: "yes" })],
  ["the console's list of apps without one", () => consoleList({ state: "limited", live: "no" })],
  ["the console's list of apps with a flag", () => consoleList({ state: "all", flag: "administrator" })],
  ["the console's list of apps for export", () => findConsoleIds(consoleListQuery.parse({ state: "all" }))],
  [
    "an export of filtered apps",
    () => exportApplications(exportListQuery.parse({ platform: "IOS", category: "2", q: "a" }), new Date()),
  ],
  ["what the console's list can be narrowed to", () => loadListChoices()],
  ["what its further filters offer", () => loadFilterChoices()],
  ["the address of an app", () => findAddressedVersion("PLAN-app")],
  ["what the console's empty list tells of the directory", () => loadDirectoryNews()],
  ["the page of an app", () => loadApplicationDetail(1)],
  ["app records", () => loadApplications([1, 2, 3])],
  ["groups of an app", () => listApplicationGroups(applicationGroupsQuery.parse({ app_id: "1" }))],
  ["approval", () => saveApproval(testContext, actionBody.parse({ id: 1, approval_status: "LIMITED" }))],
  ["automatic approval", () => saveAutoApproval(testContext, "plan-app", true)],
  ["counters of the console", () => loadCounters(null, 0)],
  ["the overview", () => loadOverview(null, new Date())],
  ["a search over everything", () => searchEverything("speed")],
  ["apps among very many that a search finds", () => findBestApplications("a", 2, 1)],
  ["the store", () => listStoreApps("ACCEPTED", storeQuery.parse({}))],
  ["the audit trail", () => listAuditEvents(auditQuery.parse({}))],
  ["the audit trail of one target", () => listAuditEvents(auditQuery.parse({ target: "step:1" }))],
  ["a list of groups", () => listGroups(listGroupsQuery.parse({}))],
  ["a page of staged groups", () => listGroups(listGroupsQuery.parse({ environment: "staging", limit: "3" }))],
  ["names of groups", () => listGroupNames()],
  ["the console's list of groups", () => loadGroupList(groupListQuery.parse({}))],
  ["the page of a group", () => findGroupPage(groupPageQuery.parse({ id: "1" }))],
  ["the page of a name", () => findGroupPage(groupPageQuery.parse({ name: "Plan" }))],
  ["a group as it is stored", () => findNewest({ family: "group" }, { key: "Plan", gone: true })],
  ["unmapped permissions of both views", () => listUncovered()],
  ["one group", () => findGroup(1, "staging")],
  ["the empty group", () => loadGroupTemplate("production")],
  ["saving a group", () => saveGroup(saveGroupBody.parse({ name: "Plan", is_default: false, rpcs: [] }), testContext)],
  ["the history of a group", () => listHistory({ family: "group", key: "Plan" }, { limit: 50, cursor: undefined })],
  ["what a deleted group had last", () => findLastContent("group", "Plan")],
  ["promoting groups", () => promote("group", { id: everyId, force: false }, testContext)],
  ["a list of messages", () => listMessages(listMessagesQuery.parse({}))],
  ["names of messages", () => listNames("message")],
  ["one message", () => findMessage(1)],
  ["the empty message", () => loadMessageTemplate()],
  ["messages of the console", () => loadMessageOverview(messagesPageQuery.parse({ q: "a" }))],
  [
    "production messages of the console",
    () => loadMessageOverview(messagesPageQuery.parse({ environment: "production" })),
  ],
  ["page of a message", () => findMessageOfPage({ id: 1 }, "staging")],
  ["page of a message by name", () => findMessageOfPage({ category: "Location" }, "production")],
  ["names that messages have had", () => listTakenNames()],
  ["saving a message", () => saveMessages(saveMessagesBody.parse({ messages: [planMessage] }), testContext)],
  ["promoting messages", () => promote("message", { id: everyId, force: false }, testContext)],
  ["unmapped permissions", () => listUnmapped(unmappedQuery.parse({}))],
  ["the module config", () => loadWireModuleConfigs(moduleConfigQuery.parse({}), true)],
  ["a module config by id", () => loadWireModuleConfigs(moduleConfigQuery.parse({ id: "1" }), true)],
  ["promoting the module config", () => promote("module_config", { force: false }, testContext)],
  ["a list of vehicle data", () => loadWireVehicleData(vehicleDataQuery.parse({ environment: "staging" }))],
  ["vehicle data by the id of a child", () => loadWireVehicleData(vehicleDataQuery.parse({ id: "2" }))],
  ["types of vehicle data", () => loadWireTypes()],
  ["saving vehicle data", () => saveVehicleData(vehicleDataBody.parse(planVehicleData), testContext)],
  ["the console's list of vehicle data", () => loadVehicleDataList(vehicleDataListQuery.parse({ use: "unused" }))],
  ["groups that grant vehicle data", () => findGroupsUsing(["speed", "plan"], "production")],
  ["the page of an item of vehicle data", () => findVehicleDataPage({ id: 2, environment: "staging" })],
  ["promoting vehicle data", () => promote("vehicle_data", { force: false }, testContext)],
  ["whether an app is known", () => isKnownApp("plan-app")],
  ["records of the directory", () => processNow([aRecord("plan-1", withLists), aRecord("plan-2"), aRecord("plan-1")])],
  ["records that say nothing new", () => processNow([aRecord("plan-1", gone), aRecord("plan-2", banned)])],
  ["a synchronisation of apps", () => syncApplications(testContext, oneApp, silentReport, plainProcessing)],
  ["queueing an app", () => queueApplication("plan-app")],
  ["working the queue off", () => workQueueOff()],
  ["an app that is malformed", () => queueMalformed([{ uuid: "plan-malformed", reason: "plan" }], new Date())],
  ["what was not touched in the queue", async () => removeUntouched(await loadQueueState(), ["plan-malformed"])],
  ["feedback", () => sendFeedbackOnce()],
  ["missed removals", () => noteMissedRemoval()],
  [
    "a summary of the queues",
    () => Promise.all([applicationQueue.summarize(), applicationQueue.countFailing(), feedbackQueue.summarize()]),
  ],
  ["apps whose certificate ends", async () => readDueApps().next()],
  ["storing an app's certificate", () => saveAppContainer("plan-app", planContainer, testContext, null)],
  [
    "renewing the certificate of the module config",
    async () => {
      useAuthority(createTestAuthority(), { PRIVATE_KEY_BITSIZE: "1024" });
      await renewModuleCertificates(testContext, silentReport);
      await certificateWorker().stop();
    },
  ],
  ["permissions of the directory", () => syncPermissions(testContext, listing, silentReport)],
  ["categories of the directory", () => syncCategories(testContext, listing, silentReport)],
  ["service types of the directory", () => syncServiceTypes(testContext, listing, silentReport)],
  ["languages", async () => syncLanguages(testContext, await specificationUrl(), silentReport)],
  ["an RPC specification", async () => syncRpcSpecification(testContext, await specificationUrl(), silentReport)],
  ["an app by its short id", () => findAppUuid("planapp")],
  ["a first policy snapshot", () => createSnapshotLoader().load()],
  [
    "a later policy snapshot",
    async () => {
      const loader = createSnapshotLoader();
      await loader.load();
      await store(async (tx) => {
        await storeGroup(tx, { name: "Plan" });
        await storeModuleConfig(tx, "STAGING");
        await storeVehicleData(tx, "plan", "STAGING");
        await saveApplicationFlags(tx, "plan-app", {});
      });
      await loader.load();
    },
  ],
];

async function findScans(seen: readonly SeenQuery[]): Promise<string[]> {
  const scans: string[] = [];
  for (const query of seen) if ((await explainStages(query)).includes("COLLSCAN")) scans.push(describeQuery(query));
  return scans;
}

describe("every query finds an index", () => {
  let duringFirstData: readonly SeenQuery[] = [];
  beforeAll(async () => {
    duringFirstData = await watchQueries(() => saveFirstData(options));
  });

  it("first data", async () => {
    expect(duringFirstData.length).toBeGreaterThan(50);
    expect(await findScans(duringFirstData)).toEqual([]);
  });

  it.each(queries)("%s", async (_, run) => {
    const seen = await watchQueries(run);
    expect(seen.length).toBeGreaterThan(0);
    expect(await findScans(seen)).toEqual([]);
  });

  it("notices a query that finds none", async () => {
    const seen = await watchQueries(() => ApplicationModel.findOne({ description: "x" }).lean());
    expect(await findScans(seen)).toHaveLength(1);
  });
});
