import "server-only";
import { z } from "zod";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { type Author, inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { ApprovalJson } from "@/lib/releases/answer-schema";
import { decideVersion } from "@/lib/apps/applications/approval";
import type { RequestForAll } from "@/lib/apps/applications/bulk/commands";
import { isApprovalState } from "@/lib/apps/applications/bulk/schema";
import { saveAppItems } from "@/lib/apps/items/app-items";
import type { AppItem } from "@/lib/apps/items/schema";
import { changeEncryption, changeFlag } from "@/lib/apps/applications/commands";
import type { ActionBody } from "@/lib/apps/applications/schema";
import { mailApprovers } from "@/lib/releases/approvals/mail";
import { movedSentence } from "@/lib/releases/approvals/outlook";
import { findWriters } from "@/lib/releases/approvals/writers";
import { approvalPath, toRequestJson, toApprovalJson } from "@/lib/releases/approvals/queries";
import { loadTitles } from "@/lib/releases/items/titles";
import { authorOf, propose } from "@/lib/records/publishing/record-release";
import { requestOf } from "@/lib/records/publishing/rollout";
import { type Plan, planOf, refusalEvent } from "@/lib/records/publishing/second-person";
import { recordItems } from "@/lib/records/families";
import { promoteRecords } from "@/lib/releases/publish/promote";
import type { RecordItemFamily, ReviewedItem } from "@/lib/vocabulary/release-items";
import type { RolloutRequest } from "@/lib/vocabulary/rollouts";
import { type appFlags, appPriorities, approvalStatuses, hybridPreferences } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";

export interface RequestedChange {
  readonly kind: ApprovalRequestRecord["kind"];
  readonly name?: string | null;
  readonly note?: string | null;
  readonly force?: boolean;
  readonly reason?: string | null;
  /** When to publish; null: on approval. */
  readonly at?: Date | null;
  readonly returnTo?: number | null;
  readonly rollout?: RolloutRequest | null | undefined;
  readonly decision?: {
    readonly approvalStatus: string;
    readonly denialMessage: string | null;
    readonly isBlacklisted: boolean | null;
  } | null;
  readonly flag?: FlagChange | null;
  readonly apps?: readonly AppItem[] | null;
  /** What it is about, if the change does not tell. */
  readonly items?: readonly ReviewedItem[];
}

export interface FlagChange {
  readonly name: (typeof appFlags)[number];
  readonly uuid?: string | null;
  readonly id?: number | null;
  readonly value: boolean | string;
}

/** Maximum number of waiting requests, so that a looping script cannot fill the database. */
const maxWaiting = 200;

/**
 * Makes the change, or requests another person's approval where needed (`people.md` P9), unless it already waits.
 * Throws what `act` throws, and AppError 403 if the caller's name is not verified: they could be the approver.
 */
export async function orRequestApproval<T>(
  writer: WriteContext,
  requested: RequestedChange,
  act: (asker: WriteContext) => Promise<T>,
): Promise<T | { readonly approval: ApprovalJson }> {
  try {
    return await act({ ...writer, canAsk: true });
  } catch (error) {
    const refused = planOf(error);
    if (refused === null) throw error;
    const plan =
      requested.items === undefined ? await withSubject(refused, requested) : { ...refused, items: requested.items };
    const { request, isNew } = await ask(writer, requested, plan);
    const told = { reader: null, voidBecause: null };
    const approval = { ...toApprovalJson(request, await loadTitles(plan.items), told), refusal: null, is_own: true };
    if (isNew) void mailApprovers(approval);
    return { approval };
  }
}

/** Adds the app of a flag that changes nothing in production yet, so that approvers know which one it is. */
async function withSubject(plan: Plan, { flag }: RequestedChange): Promise<Plan> {
  if (plan.items.length > 0 || !flag?.uuid) return plan;
  const app = await ApplicationModel.findOne({ uuid: flag.uuid, isLatest: true }, { uuid: 1 }).lean();
  return app === null ? plan : { ...plan, items: [{ family: "app", key: app.uuid, id: app._id }] };
}

/** `orAsk` for routes that cannot return a request: throws AppError 409 with `data.approval`; the message names its page. */
export async function orRefuse(
  writer: WriteContext,
  requested: RequestedChange,
  act: (asker: WriteContext) => Promise<void>,
): Promise<void> {
  const asked = await orRequestApproval(writer, requested, act);
  if (asked === undefined) return;
  const { approval } = asked;
  throw new AppError("conflict", `Another person has to approve this first: ${approval.path}`, { data: { approval } });
}

export async function promote(
  family: RecordItemFamily,
  { id: ids, force }: { readonly id?: readonly number[]; readonly force: boolean },
  writer: WriteContext,
): Promise<void> {
  const requested = { kind: "publish", force, reason: force ? "Promoted with force" : null } as const;
  const promotions = [{ family: recordItems[family], ids }];
  await orRefuse(writer, requested, (asker) => promoteRecords(promotions, { force }, asker));
}

export function decisionChange(body: ActionBody): RequestedChange {
  const { approval_status: approvalStatus, denial_message: denial, blacklist: isBlacklisted = null, force } = body;
  return { kind: "decision", force, decision: { approvalStatus, denialMessage: denial || null, isBlacklisted } };
}

export const flagChange = (flag: FlagChange): RequestedChange => ({ kind: "flag", flag });

/** Requests approval of one decision about several apps as one request (`people.md` P9); throws like `orRefuse`. */
export async function requestForAll(
  writer: WriteContext,
  { target, items: chosen }: Parameters<RequestForAll>[0],
): Promise<{ readonly id: number; readonly path: string }> {
  const versions = await ApplicationModel.find({ _id: { $in: chosen.map(({ id }) => id) } }, { uuid: 1 }).lean();
  const items = versions.map(({ _id: id, uuid: key }) => ({ family: "app", key, id }) as const);
  const force = chosen.some((one) => one.force);
  const requested = isApprovalState(target)
    ? decisionChange({ ...target, id: 0, blacklist: target.is_blacklisted, force })
    : flagChange({ name: "isAutoApprovedEnabled", value: target.is_auto_approved_enabled });
  const asked = await orRequestApproval(writer, { ...requested, items }, (asker) =>
    inTransaction(asker, (tx) => makeForAll(tx, { ...requested, items })),
  );
  if (asked === undefined) throw new AppError("conflict", "The apps have changed: decide again");
  return asked.approval;
}

/** Requests approval of an import as one request; null if none is needed, and it is made. Throws like `orAsk`. */
export async function requestForImport(
  writer: WriteContext,
  apps: readonly AppItem[],
): Promise<{ readonly id: number; readonly path: string } | null> {
  const asked = await orRequestApproval(writer, { kind: "import", apps }, (asker) =>
    inTransaction(asker, async (tx) => {
      await saveAppItems(tx, apps);
    }),
  );
  return asked?.approval ?? null;
}

/** Makes a requested decision, or sets a requested flag, for all its apps. AppError 409 if one already is so. */
export async function makeForAll(
  tx: Transaction,
  {
    decision,
    flag,
    force = false,
    items,
  }: Pick<RequestedChange, "decision" | "flag" | "force"> & { readonly items: readonly ReviewedItem[] },
): Promise<void> {
  const status = approvalStatuses.find((one) => one === decision?.approvalStatus);
  for (const { id, key } of items) {
    const isChanged =
      decision && status !== undefined
        ? await decideVersion(tx, {
            id,
            approval_status: status,
            denial_message: decision.denialMessage,
            ...(decision.isBlacklisted !== null && { blacklist: decision.isBlacklisted }),
            force,
          })
        : flag
          ? await setFlag(tx, flag, flag.uuid ?? key)
          : false;
    if (!isChanged) throw new AppError("conflict", movedSentence);
  }
  // Each decision has proposed itself.
  if (decision) propose(tx, { release: null, items: [...items], findings: [] });
}

const flagValue = z.union([z.boolean(), z.enum(hybridPreferences), z.enum(appPriorities)]);

function setFlag(tx: Transaction, { name, id, value: stored }: FlagChange, uuid: string): Promise<boolean> {
  const value = flagValue.parse(stored);
  return name === "encryptionRequired"
    ? changeEncryption(tx, id ?? 0, value === true)
    : changeFlag(tx, uuid, name, value);
}

/** Ids that identify no person: API tokens of unknown users, and anyone with the password. */
const ofNobody = /^(?:token:.*|password|open)$/;

interface Asked {
  readonly request: ApprovalRequestRecord;
  /** False: the same request already waits. */
  readonly isNew: boolean;
}

async function ask(writer: WriteContext, requested: RequestedChange, plan: Plan): Promise<Asked> {
  const { callerIds = [], isNameVerified } = writer;
  if (isNameVerified !== true || callerIds.every((id) => ofNobody.test(id))) {
    const sentence =
      "This needs the approval of another person, and you cannot request it because your name is not verified";
    await recordAuditEvent(writer, refusalEvent(sentence));
    throw new AppError("forbidden", sentence);
  }
  const titleOf = await loadTitles(plan.items);
  return inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const { session } = tx;
    const known = await ApprovalRequestModel.find({}).session(session).lean();
    const same = known.find((one) => isSame(one, requested, plan, callerIds));
    if (same && !same.rejection && same.digest.sum === plan.digest.sum) return { request: same, isNew: false };
    if (same !== undefined) {
      // The request was rejected, or production would no longer get what the reviewer saw: nobody can approve it.
      await ApprovalRequestModel.deleteOne({ _id: same._id }, { session });
    } else if (known.filter(({ rejection }) => !rejection).length >= maxWaiting) {
      throw new AppError("conflict", `${maxWaiting} changes wait for approval; withdraw some first`);
    }
    const _id = await tx.nextId("approval_requests");
    if (same !== undefined) {
      const gone = { before: toRequestJson(same, titleOf), after: { replaced_by: _id } };
      tx.record({ action: "approvals.withdraw", target: `approval:${same._id}`, ...gone });
    }
    const author: Author = authorOf(writer);
    const people = {
      author,
      askedBy: [...callerIds],
      writtenBy: await findWriters(requested.kind, plan.items, session),
      askedAt: tx.now,
    };
    const digest = { sum: plan.digest.sum, parts: [...plan.digest.parts] };
    const findings = plan.findings && [...plan.findings];
    const rollout = requested.rollout ? requestOf(requested.rollout) : null;
    const made = { _id, ...requested, rollout, items: [...plan.items], findings, digest, ...people };
    await ApprovalRequestModel.insertMany([made], { session });
    const stored = await ApprovalRequestModel.findById(_id).session(session).lean();
    if (stored === null) throw new Error(`${approvalPath(_id)} is not there`);
    tx.record({ action: "approvals.ask", target: `approval:${_id}`, after: toRequestJson(stored, titleOf) });
    return { request: stored, isNew: true };
  });
}

function isSame(
  one: ApprovalRequestRecord,
  requested: RequestedChange,
  plan: Plan,
  callerIds: readonly string[],
): boolean {
  return describe(one, one, one.askedBy) === describe(requested, plan, callerIds);
}

function describe(
  {
    kind,
    at,
    returnTo,
    name,
    note,
    force,
    reason,
    decision,
    flag,
    apps,
    rollout,
  }: RequestedChange | ApprovalRequestRecord,
  { items }: Pick<Plan, "items"> | Pick<ApprovalRequestRecord, "items">,
  askedBy: readonly string[],
): string {
  const ids = [...items].map(({ family, key, id }) => `${family}:${key} ${id}`).sort();
  const { approvalStatus, denialMessage, isBlacklisted } = decision ?? {};
  const told = [kind, at?.toISOString(), returnTo, name, note, force ?? false, reason, rollout && requestOf(rollout)];
  return JSON.stringify(
    [...told, approvalStatus, denialMessage, isBlacklisted, flag?.name, flag?.value, apps, ids, askedBy].map(
      (one: unknown) => one ?? null,
    ),
  );
}
