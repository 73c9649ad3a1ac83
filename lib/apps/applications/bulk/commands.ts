import "server-only";
import { decideVersion, readDecision } from "@/lib/apps/applications/approval";
import { type BulkAnswer, type BulkResultJson, refusedFindings } from "@/lib/apps/applications/bulk/answer-schema";
import { findExclusion, stateLabels, targetOf } from "@/lib/apps/applications/bulk/rules";
import {
  type BulkBody,
  type BulkDecision,
  type BulkState,
  type BulkUndoBody,
  isApprovalState,
} from "@/lib/apps/applications/bulk/schema";
import { changeFlag } from "@/lib/apps/applications/commands";
import { requireWriterMay } from "@/lib/platform/auth/may";
import { DatabaseUnavailable, isUnavailable } from "@/lib/platform/db/connection/errors";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { planOf } from "@/lib/records/publishing/second-person";
import { log } from "@/lib/platform/log";
import { namesOf } from "@/lib/vocabulary/members";

/** Decides about apps one by one; one that fails, or has changed since the user saw it, does not affect the others. */
export async function decideApps(
  context: WriteContext,
  { decision, reason, items, ask: isAsking }: BulkBody,
  ask: RequestForAll,
): Promise<BulkAnswer> {
  const target = targetOf(decision, reason ?? "");
  const asker = { ...context, canAsk: true } as const;
  const { results } = await changeEach(items, (item) => changeApp(asker, { ...item, target, decision }));
  const asked = new Set(results.flatMap(({ id, outcome }) => (outcome === "asked" ? id : [])));
  if (asked.size === 0 || !isAsking) return { results };
  const { id: approval, path } = await ask({ target, items: items.filter(({ id }) => asked.has(id)) });
  const message = `Another person has to approve this first: ${path}`;
  return { results: results.map((one) => (asked.has(one.id) ? { ...one, message } : one)), approval };
}

export type RequestForAll = (requested: {
  readonly target: BulkState;
  readonly items: readonly { readonly id: number; readonly force: boolean }[];
}) => Promise<{ readonly id: number; readonly path: string }>;

/** Restores the states before bulk decisions; apps changed since then fail. */
export function undoDecisions(context: WriteContext, { items }: BulkUndoBody): Promise<BulkAnswer> {
  return changeEach(items, (item) => changeApp(context, { ...item, force: false, decision: null }));
}

/** Less than the request timeout, so that a long list gets a response saying which apps were not tried. */
const longestMs = 45_000;
const lateSentence = "Not tried: this request would have taken too long. Try again.";

async function changeEach<Item extends { readonly id: number }>(
  items: readonly Item[],
  change: (item: Item) => Promise<BulkResultJson>,
): Promise<BulkAnswer> {
  const until = performance.now() + longestMs;
  const results: BulkResultJson[] = [];
  let stop: string | null = null;
  for (const item of items) {
    if (performance.now() > until) stop ??= lateSentence;
    if (stop !== null) {
      results.push(buildResult(item.id, "failed", stop));
      continue;
    }
    try {
      results.push(await change(item));
    } catch (error) {
      if (planOf(error) !== null) {
        results.push(buildResult(item.id, "asked", "Another person has to approve this first"));
        continue;
      }
      const message = describeFailure(error, item.id);
      results.push({ ...buildResult(item.id, "failed", message), findings: readFindings(error) });
      // The others would wait for the database in vain.
      if (isUnavailable(error)) stop = `Not tried: ${message}`;
    }
  }
  return { results };
}

interface Change {
  readonly id: number;
  readonly seen: BulkState;
  readonly target: BulkState;
  readonly force: boolean;
  /** Null: an undo. */
  readonly decision: BulkDecision | null;
}

function changeApp(context: WriteContext, { id, seen, target, force, decision }: Change): Promise<BulkResultJson> {
  return inTransaction(context, async (tx) => {
    const { version, flags, decision: present } = await readDecision(tx, id);
    const isAutoApproved = flags?.isAutoApprovedEnabled ?? false;
    const state = present.is_blacklisted ? "BLOCKED" : present.approval_status;
    const now = isApprovalState(seen) ? present : { is_auto_approved_enabled: isAutoApproved };
    if (!isSame(now, seen)) {
      const what = isApprovalState(seen)
        ? `is ${stateLabels[state]}`
        : `has automatic approval ${isAutoApproved ? "on" : "off"}`;
      throw new AppError("conflict", `Somebody has changed it in the meantime: it ${what} now.`);
    }
    const exclusion = decision && findExclusion(decision, { state, isAutoApproved });
    if (exclusion !== null) {
      tx.keepRevision();
      return buildResult(id, "excluded", exclusion);
    }
    if (!isApprovalState(target)) requireWriterMay(context, "publish");
    const isChanged = isApprovalState(target)
      ? await decideVersion(tx, {
          id,
          approval_status: target.approval_status,
          denial_message: target.denial_message,
          blacklist: target.is_blacklisted,
          force,
        })
      : await changeFlag(tx, version.uuid, "isAutoApprovedEnabled", target.is_auto_approved_enabled);
    if (!isChanged) tx.keepRevision();
    return { ...buildResult(id, "done", null), undo: isChanged ? { id, seen: target, target: seen } : null };
  });
}

function buildResult(id: number, outcome: BulkResultJson["outcome"], message: string | null): BulkResultJson {
  return { id, outcome, message, findings: [], undo: null };
}

function isSame(one: BulkState, other: BulkState): boolean {
  const left = new Map<string, unknown>(Object.entries(one));
  return namesOf(other).every((name) => left.get(name) === other[name]);
}

/** Unexpected errors are logged, not shown. */
function describeFailure(error: unknown, id: number): string {
  if (error instanceof AppError) return error.message;
  if (isUnavailable(error))
    return (error instanceof DatabaseUnavailable && error.sentence) || "The database cannot be reached; try again soon";
  log.error({ application: id, err: error }, "a decision about one of many apps failed");
  return new AppError("internal").message;
}

function readFindings(error: unknown): BulkResultJson["findings"] {
  return (error instanceof AppError ? refusedFindings.safeParse(error.data).data?.findings : undefined) ?? [];
}
