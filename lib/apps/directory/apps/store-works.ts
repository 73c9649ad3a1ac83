import "server-only";
import { saveFeedbacks } from "@/lib/apps/applications/feedback";
import {
  findKeptVersion,
  findRemovedApps,
  giveDecisionBack,
  giveFlagsBack,
} from "@/lib/apps/applications/removed-apps";
import { blacklistApplications, deleteApplications } from "@/lib/apps/applications/removal";
import { buildApplicationVersion, type NewApplicationVersion, type ServiceType } from "@/lib/apps/applications/rules";
import { saveApplicationVersions } from "@/lib/apps/applications/store-version";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import type { HandledBundle } from "@/lib/apps/bundles/handler";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import type { DirectoryReading } from "@/lib/apps/directory/client/reading";
import type { DirectoryApplication } from "@/lib/apps/directory/answers/schema";
import { findFlagsOf, Spellings } from "@/lib/apps/directory/apps/stored-apps";
import type { Settings } from "@/lib/platform/settings";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { type ReadRefusalFinder, readRefusalFinder } from "@/lib/policy/checks/approval-check";
import { findFreeze, frozenSentence, isFrozen } from "@/lib/records/publishing/freeze";
import { environments } from "@/lib/vocabulary/terms";

export type Work = { readonly uuid: string } & (
  | { readonly plan: "delete" | "blacklist" }
  | { readonly plan: "store"; readonly record: DirectoryApplication; readonly bundle: HandledBundle | null }
);

export interface StoreOptions {
  readonly settings: Pick<Settings, "autoApproveAllApps" | "encryptionRequired">;
  /** When the records were read. */
  readonly reading: DirectoryReading;
  /** Kept between transactions by a caller that makes several. */
  readonly readRefusals?: ReadRefusalFinder;
  /** Returns the apps that may still be changed; called inside the transaction. */
  readonly keepOwned?: (tx: Transaction, uuids: readonly string[]) => Promise<ReadonlySet<string>>;
}

interface Flags {
  readonly isBlacklisted: boolean;
  readonly isAutoApprovedEnabled: boolean;
  readonly isAdministratorApp: boolean;
  readonly revision: number;
}

/** All or none. Throws DatabaseUnavailable, or the database's error about one of the records. */
export async function storeWorks(
  context: WriteContext,
  works: readonly Work[],
  options: StoreOptions,
): Promise<ReadonlyMap<Work, Outcome>> {
  const { outcomes, revision } = await inTransaction(context, async (tx) => {
    const all = new Map<Work, Outcome>();
    for (const part of splitByApp(works)) {
      for (const [work, outcome] of await storePart(tx, part, options)) all.set(work, outcome);
    }
    if (![...all.values()].some(isChange)) tx.keepRevision();
    return { outcomes: all, revision: tx.revision };
  });
  options.reading.addOwn(revision);
  return outcomes;
}

/** No part contains an app twice. Their sequence keeps the order of delivery, which matters for versions of one app. */
export function splitByApp<T extends { readonly uuid: string }>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: T[][] = [];
  const partOf = new Map<string, number>();
  for (const item of items) {
    const place = (partOf.get(item.uuid) ?? -1) + 1;
    partOf.set(item.uuid, place);
    (parts[place] ??= []).push(item);
  }
  return parts;
}

function isChange(outcome: Outcome): boolean {
  return outcome.kind === "stored" || ("isChanged" in outcome && outcome.isChanged);
}

const uuidsOf = (works: readonly Work[]) => works.map(({ uuid }) => uuid);
const leavings = [
  ["delete", "deleted", deleteApplications],
  ["blacklist", "blacklisted", blacklistApplications],
] as const;

/** A part contains no app twice, so the kinds of work do not interfere. */
async function storePart(tx: Transaction, part: readonly Work[], options: StoreOptions): Promise<Map<Work, Outcome>> {
  const outcomes = new Map<Work, Outcome>();
  const uuids = uuidsOf(part);
  const { flags, spellings } = await findFlags(tx, uuids);
  const owned = (await options.keepOwned?.(tx, uuids)) ?? null;
  const open = part.filter((work) => {
    const changedIn = flags.get(work.uuid)?.revision ?? 0;
    // If the app was stored in the meantime under another spelling of its uuid, it has changed too.
    const isStoredAnew = spellings.of(work.uuid) !== work.uuid;
    const isOld = isStoredAnew || (changedIn !== tx.revision && options.reading.isOlderThan(changedIn));
    if (!isOld && owned?.has(work.uuid) !== false) return true;
    outcomes.set(work, { kind: "overtaken", uuid: work.uuid });
    return false;
  });
  for (const [plan, kind, change] of leavings) {
    const leaving = open.filter((work) => work.plan === plan);
    if (leaving.length === 0) continue;
    const changed = new Set(await change(tx, uuidsOf(leaving)));
    for (const work of leaving) outcomes.set(work, { kind, uuid: work.uuid, isChanged: changed.has(work.uuid) });
  }
  for (const [work, outcome] of await storeVersions(tx, open, flags, options)) outcomes.set(work, outcome);
  return outcomes;
}

async function findFlags({ session }: Transaction, uuids: readonly string[]) {
  const found = await findFlagsOf(uuids, session);
  const flags: ReadonlyMap<string, Flags> = new Map(found.map((one) => [one.uuid, one]));
  return { flags, spellings: new Spellings(flags.keys()) };
}

async function storeVersions(
  tx: Transaction,
  works: readonly Work[],
  flags: ReadonlyMap<string, Flags>,
  { settings, readRefusals = readRefusalFinder }: StoreOptions,
): Promise<ReadonlyMap<Work, Outcome>> {
  const outcomes = new Map<Work, Outcome>();
  const storing = works.filter((work) => work.plan === "store");
  if (storing.length === 0) return outcomes;
  const serviceTypes = await findServiceTypes(
    tx,
    storing.map(({ record }) => record),
  );
  const kept = await findRemovedApps(tx, uuidsOf(storing));
  const arrived: NewApplicationVersion[] = [];
  for (const work of storing) {
    const own = kept.get(work.uuid.toLowerCase());
    const before = flags.get(work.uuid);
    const isBack = own?.isReturned === false;
    if (isBack) await giveFlagsBack(tx, work.uuid, own);
    const isAutoApprovedEnabled = isBack ? own.isAutoApprovedEnabled : (before?.isAutoApprovedEnabled ?? false);
    const isBlacklisted = before?.isBlacklisted ?? false;
    const parts = { tx, settings, serviceTypes };
    const version = buildVersion(work, { isBlacklisted, isAutoApprovedEnabled }, parts);
    const decision = findKeptVersion(own, version);
    arrived.push(decision === null ? version : giveDecisionBack(version, decision, isBlacklisted));
  }
  const versions = await holdRefused(tx, arrived, flags, readRefusals);
  const ids = await saveApplicationVersions(tx, versions);
  const stored = versions.filter((_, index) => typeof ids[index] === "number");
  await saveFeedbacks(
    tx,
    stored.map(({ uuid, versionId, approvalStatus, denialMessage: notes }) => {
      const blacklist = flags.get(uuid)?.isBlacklisted ?? false;
      return { uuid, versionId, approvalStatus, notes, blacklist };
    }),
  );
  for (const [index, work] of storing.entries()) {
    const id = ids[index];
    const version = versions[index];
    if (version === undefined || typeof id !== "number") outcomes.set(work, { kind: "known", uuid: work.uuid });
    else {
      const { uuid, name, versionId, approvalStatus, cuts, holds } = version;
      outcomes.set(work, { kind: "stored", uuid, id, name, approvalStatus, cuts, holds });
      const after = {
        ...{ application: id, version_id: versionId, approval_status: approvalStatus },
        ...(cuts.length > 0 && { cut: [...new Set(cuts.map(({ field }) => field))] }),
        ...(holds.length > 0 && { automatic_approval_stopped: holds }),
      };
      tx.record({ action: "applications.store", target: `app:${uuid}`, after });
    }
  }
  return outcomes;
}

async function findServiceTypes({ session }: Transaction, records: readonly DirectoryApplication[]) {
  const names = new Set(records.flatMap(({ services }) => services.map(({ name }) => name)));
  if (names.size === 0) return [];
  return ServiceTypeModel.find({ name: { $in: [...names] } }, {}, { session }).lean();
}

function buildVersion(
  { record, bundle }: Extract<Work, { plan: "store" }>,
  flags: Pick<Flags, "isBlacklisted" | "isAutoApprovedEnabled">,
  {
    tx,
    settings,
    serviceTypes,
  }: {
    readonly tx: Transaction;
    readonly settings: StoreOptions["settings"];
    readonly serviceTypes: readonly ServiceType[];
  },
): NewApplicationVersion {
  const { autoApproveAllApps, encryptionRequired } = settings;
  const defaults = { ...flags, autoApproveAllApps, encryptionRequired };
  const version = buildApplicationVersion(record, { defaults, serviceTypes, now: tx.now });
  if (bundle === null) return version;
  const { url, sizeCompressedBytes, sizeDecompressedBytes } = bundle;
  return { ...version, packageUrl: url, sizeCompressedBytes, sizeDecompressedBytes };
}

/** Versions stay PENDING during a freeze or if head units would refuse a table because of them (`directory.md` D17). */
async function holdRefused(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
  flags: ReadonlyMap<string, { readonly isAdministratorApp: boolean }>,
  readRefusals: ReadRefusalFinder,
): Promise<readonly NewApplicationVersion[]> {
  if (!versions.some(({ approvalStatus }) => approvalStatus === "ACCEPTED")) return versions;
  const freeze = await findFreeze(tx.session);
  if (freeze !== null && isFrozen(freeze, tx.now)) {
    const holds = [frozenSentence(freeze)];
    return versions.map((version) => (version.approvalStatus === "ACCEPTED" ? held(version, holds) : version));
  }
  const findRefusals = await readRefusals(tx);
  return versions.map((version) => {
    const { uuid, approvalStatus } = version;
    if (approvalStatus !== "ACCEPTED") return version;
    const app = { uuid, isAdministratorApp: flags.get(uuid)?.isAdministratorApp ?? false };
    // Stored documents have an id, which entries do not depend on.
    const document = { ...version, _id: 1 };
    const findings = environments.flatMap((environment) => findRefusals(app, document, environment));
    if (findings.length === 0) return version;
    const holds = [...new Set(findings.map(({ path, message }) => `${message} (${path})`))];
    return held(version, holds);
  });
}

const held = (version: NewApplicationVersion, holds: readonly string[]): NewApplicationVersion => ({
  ...{ ...version, approvalStatus: "PENDING", encryptionRequired: false },
  holds: [...holds],
});
