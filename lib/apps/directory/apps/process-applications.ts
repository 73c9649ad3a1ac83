import "server-only";
import pLimit from "p-limit";
import type { HandledBundle } from "@/lib/apps/bundles/handler";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { loadStoredApps, planRecord, type StoredApps } from "@/lib/apps/directory/apps/stored-apps";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import {
  readHead,
  readRecord,
  type Malformed,
  type DirectoryRecordHead,
} from "@/lib/apps/directory/client/read-record";
import { storeWorks, type StoreOptions, type Work } from "@/lib/apps/directory/apps/store-works";
import { log } from "@/lib/platform/log";
import { cutMessage } from "@/lib/policy/head-unit/entry-limits";
import { createPacer } from "@/lib/platform/process/pacer";

/** Rejects with a sentence for administrators. */
export type HandleBundle = (packageUrl: string) => Promise<HandledBundle>;
const maxBundlesAtOnce = 5;

export interface ProcessOptions extends StoreOptions {
  readonly handleBundle: HandleBundle;
  /** Called for every stored version that waits for a decision (rule D15); undefined: mail is off. */
  readonly mail?: (app: { readonly id: number; readonly name: string }) => void;
}

/**
 * Applies records, which may contain anything, in order of delivery (`directory.md` section 5). Records without news
 * cost one read; the others are one transaction. An unusable record does not affect the others. On DatabaseUnavailable,
 * some changes may be stored, and repeating the call stores the rest.
 */
export async function processApplications(
  context: WriteContext,
  records: readonly unknown[],
  options: ProcessOptions,
): Promise<readonly Outcome[]> {
  const planned = await withBundles(await planRecords(records), options.handleBundle);
  const works = planned.filter((item) => isWork(item));
  const done = await storeOrSplit(context, works, options);
  const outcomes = planned.map((item) => (isWork(item) ? outcomeOf(item, done) : item));
  for (const outcome of outcomes) {
    if (outcome.kind === "stored") logStored(outcome);
    if (outcome.kind === "stored" && outcome.approvalStatus === "PENDING") options.mail?.(outcome);
  }
  return outcomes;
}

function logStored({ uuid, id, cuts, holds }: Extract<Outcome, { kind: "stored" }>): void {
  for (const { field, what } of cuts) log.warn({ uuid, application: id, field, what }, cutMessage);
  if (holds.length > 0) log.warn({ uuid, application: id, findings: holds }, "automatic approval stopped at a version");
}

const isWork = (item: Outcome | Work): item is Work => "plan" in item;

function outcomeOf(work: Work, done: ReadonlyMap<Work, Outcome>): Outcome {
  const outcome = done.get(work);
  if (outcome === undefined) throw new Error("A record was neither stored nor refused.");
  return outcome;
}

/** Sorts out records without news, and unusable ones. */
async function planRecords(records: readonly unknown[]): Promise<readonly (Outcome | Work)[]> {
  const pace = createPacer();
  const heads: (DirectoryRecordHead | Malformed)[] = [];
  for (const record of records) {
    heads.push(readHead(record));
    await pace();
  }
  const stored = await loadStoredApps(heads.flatMap(({ uuid }) => uuid ?? []));
  const changing = new Set<string>();
  const planned: (Outcome | Work)[] = [];
  for (const [index, found] of heads.entries()) {
    // The app directory may change the case of a uuid; the app is the same.
    const head = found.uuid === null ? found : { ...found, uuid: stored.spellings.take(found.uuid) };
    const item =
      "reason" in head
        ? ({ kind: "malformed", ...head } as const)
        : plan(head, records[index], stored, changing.has(head.uuid));
    if (isWork(item)) changing.add(item.uuid);
    planned.push(item);
    await pace();
  }
  return planned;
}

function plan(head: DirectoryRecordHead, record: unknown, stored: StoredApps, isChanging: boolean): Outcome | Work {
  const { uuid } = head;
  const step = planRecord(head, stored, isChanging);
  switch (step) {
    case "delete":
    case "blacklist":
      return { uuid, plan: step };
    case "deleted":
    case "blacklisted":
      return { uuid, kind: step, isChanged: false };
    case "known":
      return { uuid, kind: step };
    case "store": {
      const usable = readRecord(record);
      if (typeof usable === "string") return { uuid, kind: "malformed", reason: usable };
      return { uuid, plan: step, record: { ...usable, uuid }, bundle: null };
    }
  }
}

/** Rule D12: before storing, a few at a time, and outside of any transaction, because it can take minutes. */
function withBundles(planned: readonly (Outcome | Work)[], handle: HandleBundle): Promise<readonly (Outcome | Work)[]> {
  const limit = pLimit(maxBundlesAtOnce);
  return Promise.all(planned.map((item) => limit(() => withBundle(item, handle))));
}

async function withBundle(item: Outcome | Work, handle: HandleBundle): Promise<Outcome | Work> {
  if (!isWork(item) || item.plan !== "store") return item;
  const { uuid, record } = item;
  if (record.transport_type !== "webengine" || record.package_url === null) return item;
  try {
    return { ...item, bundle: await handle(record.package_url) };
  } catch (error) {
    const reason = `package_url: ${error instanceof Error ? error.message : "the bundle handler failed"}`;
    return { uuid, kind: "malformed", reason };
  }
}

/** If the database refuses a batch, stores halves separately, and so on, until only the faulty record is left out. */
async function storeOrSplit(
  context: WriteContext,
  works: readonly Work[],
  options: StoreOptions,
): Promise<ReadonlyMap<Work, Outcome>> {
  const [first] = works;
  if (first === undefined) return new Map();
  try {
    return await storeWorks(context, works, options);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (works.length === 1) return new Map([[first, refuse(first, error)]]);
    const middle = Math.ceil(works.length / 2);
    const before = await storeOrSplit(context, works.slice(0, middle), options);
    return new Map([...before, ...(await storeOrSplit(context, works.slice(middle), options))]);
  }
}

/** The database's message may quote the record, so it only goes to the log. */
function refuse({ uuid }: Work, error: unknown): Outcome {
  log.error({ uuid, err: error }, "the database refuses the record of an app");
  return {
    uuid,
    kind: "malformed",
    reason: `could not be stored (${error instanceof Error ? error.name : "unknown"})`,
  };
}
