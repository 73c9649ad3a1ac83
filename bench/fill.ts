/**
 * Fills a data directory with initial data and the given number of generated apps, all approved.
 *
 * A separate program, so that its memory is not measured: `tsx bench/fill.ts <data dir> <apps>`. `--example-apps` adds the
 * example apps, `--example-item` an item of vehicle data; `--large` adds as many groups, messages and vehicle data as the
 * console must stay fast with, and gives the apps every status; `--releases` adds content for measuring releases; `--fleet`
 * adds a made-up month of vehicles' requests with five releases, and needs `node --conditions=react-server --import tsx`.
 */
import path from "node:path";
import "@/lib/releases/gate";
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { startEmbeddedDatabase } from "@/test/support/embedded-database";
import { inTransaction, type Transaction } from "@/lib/platform/db/transaction";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, derivedMembers } from "@/models/application";
import { distinctGrants, distinctRecord, distinctUuid } from "@/bench/distinct-apps";
import { fillExampleItem, fillForReleases, fillLarge, storePlain } from "@/bench/fill-large";

const [dataDir = "", count = "0", ...options] = process.argv.slice(2);
const isLarge = options.includes("--large");
const perTransaction = 100;
const statuses: readonly ApprovalStatus[] = ["ACCEPTED", "PENDING", "ACCEPTED", "LIMITED", "ACCEPTED", "STAGING"];

// The key that seals the audit trail must be where the server will look for it.
process.env.DATA_DIR = dataDir;
const database = await startEmbeddedDatabase({ dataDir: path.join(dataDir, "database") });
await connect({ uri: database.uri, dbName: "policy_server" });
await saveFirstData({
  root: process.cwd(),
  publicBaseUrl: "http://127.0.0.1:3000",
  withExampleApps: options.includes("--example-apps"),
});

const defaults = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: true,
  encryptionRequired: false,
};
const context = { actor: "setup", route: "bench", requestId: null };

for (let first = 0; first < Number(count); first += perTransaction) {
  const numbers = Array.from({ length: Math.min(perTransaction, Number(count) - first) }, (_, at) => first + at);
  await inTransaction(context, (tx) => saveApps(tx, numbers));
}
if (options.includes("--example-item")) await fillExampleItem(context);
if (isLarge) await fillLarge(context);
if (options.includes("--releases")) await fillForReleases(context);
if (options.includes("--fleet")) {
  const { fillFleetMonth } = await import("@/bench/fleet-month");
  await fillFleetMonth(context, Date.now());
}
await disconnect();
await database.close();

/** Stores many new apps with few commands, otherwise as a sync does. */
async function saveApps(tx: Transaction, numbers: readonly number[]): Promise<void> {
  const versions = numbers.flatMap((at) => {
    const status = isLarge ? (statuses[at % statuses.length] ?? "ACCEPTED") : "ACCEPTED";
    if (status !== "PENDING") return [buildVersion(tx, at, at + 1, status)];
    // An app that waits for review is new, or an update of a served app.
    const served = at % 2 === 0 ? [{ ...buildVersion(tx, at, at + 1, "ACCEPTED"), isLatest: false }] : [];
    return [...served, buildVersion(tx, at, at + 1_000_001, status)];
  });
  const ids = await tx.nextIds("applications", versions.length);
  const documents = versions.map((version, at) => ({ ...version, ...derivedMembers(version), _id: ids[at] }));
  await storePlain(ApplicationModel, documents, tx.session);
  const flagIds = await tx.nextIds("application_flags", numbers.length);
  const flags = numbers.map((at, place) => ({
    _id: flagIds[place],
    uuid: distinctUuid(at),
    uuidKey: distinctUuid(at),
    revision: tx.revision,
    ...(isLarge && at % 50 === 49 ? { isBlacklisted: true, blacklistedTs: tx.now } : {}),
  }));
  await storePlain(ApplicationFlagsModel, flags, tx.session);
}

function buildVersion(tx: Transaction, at: number, versionId: number, approvalStatus: ApprovalStatus) {
  const record = directoryApplication.parse({ ...distinctRecord(at), version_id: versionId });
  const version = buildApplicationVersion(record, { defaults, serviceTypes: [], now: tx.now });
  return { ...version, approvalStatus, denialMessage: null, groupGrants: distinctGrants(at), isLatest: true };
}
