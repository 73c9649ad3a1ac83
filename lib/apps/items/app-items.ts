import "server-only";
import type { ClientSession } from "mongoose";
import { saveFeedbacks } from "@/lib/apps/applications/feedback";
import { blacklistChanges, type FlagChanges, saveApplicationFlags } from "@/lib/apps/applications/store-version";
import { decidedColumns } from "@/lib/apps/applications/versions";
import { propose } from "@/lib/records/publishing/record-release";
import { requireWriterMay } from "@/lib/platform/auth/may";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { itemFlags, planApp, type StoredApp } from "@/lib/apps/items/app-plan";
import type { AppItem } from "@/lib/apps/items/schema";
import { namesOf, recordOf, snakeName, toSnakeMembers } from "@/lib/vocabulary/members";
import type { ReviewedItem } from "@/lib/vocabulary/release-items";
import { createPacer } from "@/lib/platform/process/pacer";
import { byCodeUnit, distinct, findRepeated } from "@/lib/vocabulary/order";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { FunctionalGroupModel } from "@/models/functional-group";

/** Apps without any decision are omitted; without `uuids`, all. */
export async function loadAppItems(session?: ClientSession, uuids?: readonly string[]): Promise<readonly AppItem[]> {
  const apps = await loadApps(uuids === undefined ? {} : { uuid: { $in: uuids } }, session);
  return Array.from(apps.values(), ({ item }) => item).filter(isDecided);
}

function isDecided({ uuid: _, versions, ...flags }: AppItem): boolean {
  if (Object.values(flags).some((flag) => flag !== undefined && flag !== false)) return true;
  return versions.some(({ approval_status: status, encryption_required: encrypted, groups = [], services = [] }) => {
    return status !== "PENDING" || encrypted === true || groups.length > 0 || services.length > 0;
  });
}

async function loadApps(filter: object, session?: ClientSession): Promise<Map<string, StoredApp>> {
  const pace = createPacer();
  const flags = new Map<string, Awaited<ReturnType<typeof findFlags>>[number]>();
  for (const one of await findFlags(filter, session)) flags.set(one.uuid, one);
  const linked = new Map<string, readonly string[]>();
  for (const { name, permissions } of await ServiceTypeModel.find({}, null, inSession(session)).lean()) {
    linked.set(name, permissions);
  }
  const found = new Map<
    string,
    StoredApp & { name: string; ids: number[]; offers: Map<string, readonly string[]>[] }
  >();
  for await (const version of ApplicationModel.find(filter, decidedColumns, inSession(session))
    .sort({ _id: 1 })
    .lean()) {
    const { uuid } = version;
    const own = flags.get(uuid);
    const app = found.get(uuid) ?? {
      name: version.name,
      ids: [],
      offers: [],
      item: {
        uuid,
        ...toSnakeMembers(recordOf(itemFlags, (name) => own?.[name] ?? false)),
        ...(own?.hybridAppPreference ? { hybrid_preference: own.hybridAppPreference } : {}),
        ...(own?.priority ? { priority: own.priority } : {}),
        versions: [],
      },
    };
    app.name = version.name;
    app.ids.push(version._id);
    app.offers.push(new Map(version.services.map(({ name }) => [name, linked.get(name) ?? []])));
    app.item.versions.push({
      version: version.versionId ?? null,
      approval_status: version.approvalStatus,
      ...(version.denialMessage ? { denial_message: version.denialMessage } : {}),
      encryption_required: version.encryptionRequired,
      groups: version.groupGrants,
      services: version.services
        .filter(({ selectedPermissions }) => selectedPermissions.length > 0)
        .map(({ name, selectedPermissions }) => ({ name, permissions: selectedPermissions })),
    });
    found.set(uuid, app);
    await pace();
  }
  return found;
}

const findFlags = (filter: object, session?: ClientSession) =>
  ApplicationFlagsModel.find(filter, null, inSession(session)).lean();
const inSession = (session?: ClientSession) => (session === undefined ? {} : { session });

export interface AppOutcome {
  readonly changed: readonly { readonly uuid: string; readonly before: AppItem; readonly after: AppItem }[];
  readonly items: readonly ReviewedItem[];
  /** About everything that was not changed. */
  readonly left: readonly string[];
}

/**
 * `exchange.md` X2. A file accepts nothing for production: what it calls accepted is staged until a publication. Throws
 * AppError 403 naming the role that a decision needs, 400 for a duplicate app or version.
 */
export async function saveAppItems(tx: Transaction, items: readonly AppItem[]): Promise<AppOutcome> {
  const keys = items.map(({ uuid }) => uuid.toLowerCase());
  requireOnce(keys, (key) => `app ${key}`);
  const apps = new Map(
    Array.from((await loadApps({ uuidKey: { $in: keys } }, tx.session)).values(), (app) => [
      app.item.uuid.toLowerCase(),
      app,
    ]),
  );
  const groups = await findGroups(items, tx.session);
  const outcome = { changed: [] as AppOutcome["changed"][number][], items: [] as ReviewedItem[], left: [] as string[] };
  for (const item of items) {
    requireOnce(
      item.versions.map(({ version }) => version),
      (version) => `version ${version ?? "without a number"} of app ${item.uuid}`,
    );
    const stored = apps.get(item.uuid.toLowerCase());
    const plan = planApp(item, stored ?? null, (name) => groups.has(name));
    outcome.left.push(...plan.left);
    if (stored === undefined || !plan.isChange) continue;
    requireWriterMay(tx.writer, plan.needs);
    const { uuid } = stored.item;
    await apply(tx, uuid, plan);
    outcome.changed.push({ uuid, before: stored.item, after: plan.after });
    outcome.items.push({ family: "app", key: uuid, id: stored.ids.at(-1) ?? 0 });
    tx.record({ action: "applications.import", target: `app:${uuid}`, ...tellChange(stored.item, plan) });
  }
  if (outcome.items.length > 0) propose(tx, { release: null, items: outcome.items, findings: [] });
  return outcome;
}

/** What an import changes in an app, and nothing else, for the audit trail (`gate.md` W14). */
function tellChange(item: AppItem, { flags, versions }: ReturnType<typeof planApp>) {
  const stored = {
    ...recordOf(itemFlags, (name) => item[snakeName(name)] ?? false),
    hybridAppPreference: item.hybrid_preference ?? null,
    priority: item.priority ?? null,
  };
  const names = namesOf(stored).filter((name) => flags[name] !== undefined);
  const tell = (of: Pick<FlagChanges, (typeof names)[number]>, which: "now" | "then") => ({
    ...Object.fromEntries(names.map((name) => [snakeName(name), of[name] ?? null])),
    ...(versions.length > 0 && {
      versions: versions.map((one) => ({ application: one.id, ...tellVersion(one[which]) })),
    }),
  });
  return { before: tell(stored, "now"), after: tell(flags, "then") };
}

function tellVersion(one: AppItem["versions"][number]) {
  const {
    version,
    approval_status,
    denial_message = null,
    encryption_required = false,
    groups = [],
    services = [],
  } = one;
  return { version, approval_status, denial_message, encryption_required, groups, services };
}

function requireOnce<T>(keys: readonly T[], describe: (key: T) => string): void {
  const twice = findRepeated(keys);
  if (twice !== undefined) throw new AppError("invalid", `${describe(twice)} is in the document twice`);
}

/** The wanted groups that the routes would grant. A group is known once any record of its name is stored. */
async function findGroups(items: readonly AppItem[], session: ClientSession): Promise<ReadonlySet<string>> {
  const names = distinct(items.flatMap(({ versions }) => versions.flatMap(({ groups = [] }) => groups)));
  const known = await FunctionalGroupModel.distinct("name", { name: { $in: names } }).session(session);
  return new Set(known);
}

async function apply(tx: Transaction, uuid: string, { flags, versions }: ReturnType<typeof planApp>): Promise<void> {
  const { isBlacklisted, ...others } = flags;
  for (const { id, then } of versions) {
    const { version: versionId, approval_status: approvalStatus, services = [], groups = [] } = then;
    const version = await ApplicationModel.findOne({ _id: id }, { services: 1 }, { session: tx.session }).lean();
    const set = {
      approvalStatus,
      denialMessage: then.denial_message ?? null,
      encryptionRequired: then.encryption_required ?? false,
      groupGrants: [...groups].sort(byCodeUnit),
      services: (version?.services ?? []).map(({ name, displayName, serviceNames }) => ({
        ...{ name, displayName, serviceNames },
        selectedPermissions: services.find((one) => one.name === name)?.permissions ?? [],
      })),
    };
    await ApplicationModel.updateOne({ _id: id }, { $set: set }, { session: tx.session });
    if (approvalStatus === "LIMITED") {
      const blacklist = isBlacklisted ?? false;
      await saveFeedbacks(tx, [{ uuid, versionId, approvalStatus, notes: set.denialMessage, blacklist }]);
    }
  }
  const blacklist = isBlacklisted === undefined ? {} : blacklistChanges(isBlacklisted, tx.now);
  await saveApplicationFlags(tx, uuid, { ...others, ...blacklist });
}
