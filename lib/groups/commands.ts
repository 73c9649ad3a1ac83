import "server-only";
import { findHeads } from "@/lib/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { buildGroupDetail, findGroup, findPrompts, loadGroupRecords } from "@/lib/groups/queries";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { listLostParameters } from "@/lib/groups/promotion-rules";
import { type GroupContent, type GroupRecord } from "@/lib/groups/rules";
import { type SaveGroupBody } from "@/lib/groups/schema";
import { toGroupContent, toGroupJson } from "@/lib/groups/wire";
import { usableParameters } from "@/lib/policy/functional-groupings";
import { type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { findNewFaults, requireNoNewFaults } from "@/lib/policy/promotion-check";
import { type RecordStatus } from "@/lib/policy/vocabulary";
import { type PromoteBody } from "@/lib/records/query";
import { selectPromotable } from "@/lib/records/views";
import { FunctionalGroupModel } from "@/models/functional-group";

const targetOf = ({ name }: { readonly name: string }) => `group:${name}`;

/**
 * Saves a functional group as a new STAGING record; edits, deletes and restores alike (`api.md` 11.4).
 *
 * @returns the faults that it brings to the staging table
 * @throws AppError 400 when its consent prompt is not in staging; 409 with `data.current` and `data.submitted` when
 *   `base_id` is not the newest record of this name
 */
export async function saveGroup(body: SaveGroupBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  const content = toGroupContent(body);
  return inTransaction(writer, async (tx) => {
    await requirePrompts(tx, [content], "staging", "Consent prompt not found");
    const [newest] = await findHeads("groups", "staging", { keys: [content.name], session: tx.session });
    if (body.base_id !== null && body.base_id !== (newest?.id ?? 0)) {
      const isFree = body.base_id === 0 && newest !== undefined && (await isGone(tx, newest.id));
      if (!isFree) await refuseStale(tx, content, newest?.id ?? null);
    }
    const { findings } = await findNewFaults(tx, "staging", async () => {
      const [id] = await insertGroups(tx, [content], "STAGING");
      tx.record({ action: "groups.save", target: targetOf(content), before: newest?.id ?? null, after: id ?? null });
    });
    return findings;
  });
}

/**
 * Publishes staged groups, all or none (`api.md` 11.5). Ids with nothing to publish are skipped.
 *
 * @throws AppError 400 when a consent prompt or a custom parameter is not in production; 409 with `data.findings` when
 *   the production table would have new faults afterwards and `force` is false
 */
export async function promoteGroups({ id: ids, force }: PromoteBody, writer: WriteContext): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(writer, async (tx) => {
    const records = await loadPromotable(tx, ids);
    if (records.length === 0) {
      tx.keepRevision();
      return;
    }
    await requirePrompts(tx, records, "production", "Consent prompt is not in production");
    await requireVehicleData(tx, records);
    await requireNoNewFaults(tx, force, async () => {
      const copies = await insertGroups(tx, records, "PRODUCTION");
      for (const [index, record] of records.entries()) {
        const after = copies[index] ?? null;
        tx.record({ action: "groups.promote", target: targetOf(record), before: record.id, after });
      }
    });
  });
}

async function loadPromotable(tx: Transaction, ids: readonly number[]): Promise<GroupRecord[]> {
  const wanted = new Set(ids);
  const heads = await findHeads("groups", "staging", { session: tx.session });
  const newest = heads.map(({ id }) => id).filter((id) => wanted.has(id));
  const records = selectPromotable(ids, await loadGroupRecords(newest, tx.session));
  return records.sort((a, b) => a.id - b.id);
}

/** The groups that stay must ask with a message that the view has. */
async function requirePrompts(
  tx: Transaction,
  groups: readonly GroupContent[],
  environment: "staging" | "production",
  sentence: string,
): Promise<void> {
  const wanted = groups
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const found = await findPrompts(wanted, environment, tx.session);
  const missing = [...new Set(wanted)].filter((category) => !found.has(category));
  if (missing.length > 0) throw new AppError("invalid", `${sentence}: ${missing.join(", ")}`);
}

/** The groups that stay must not lose custom parameters on the way to production (`pages.md` 2.5, promotion rule 2, and 5). */
async function requireVehicleData(tx: Transaction, groups: readonly GroupRecord[]): Promise<void> {
  const isUsable = usableParameters(await loadParameterSources(tx.session));
  const missing = groups
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap((group) => listLostParameters(group, isUsable).map((parameter) => `${parameter} (${group.name})`));
  if (missing.length > 0) {
    throw new AppError("invalid", `Custom vehicle data is not in production: ${missing.join(", ")}`);
  }
}

/** A deletion that is promoted leaves a record, but no group: its name is free. */
async function isGone(tx: Transaction, id: number): Promise<boolean> {
  const [record] = await loadGroupRecords([id], tx.session);
  return record?.isDeleted === true && record.status === "PRODUCTION";
}

async function refuseStale(tx: Transaction, content: GroupContent, newestId: number | null): Promise<never> {
  const current = newestId === null ? null : await findGroup(newestId, "staging", tx.session);
  const submitted = await buildGroupDetail({ ...content, id: 0, status: "STAGING" }, "staging", tx.session);
  throw new AppError("conflict", "The group was changed meanwhile; base_id is not its newest record", {
    data: { current: current && toGroupJson(current), submitted: toGroupJson(submitted) },
  });
}

async function insertGroups(
  tx: Transaction,
  groups: readonly GroupContent[],
  status: RecordStatus,
): Promise<readonly number[]> {
  const ids = await tx.nextIds("functional_groups", groups.length);
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const documents = groups.map((group, index) => {
    const { rpcs, ...members } = group;
    return { ...withoutId(members), rpcs: [...rpcs], ...times, _id: ids[index], status };
  });
  await FunctionalGroupModel.insertMany(documents, { session: tx.session, timestamps: false });
  return ids;
}

/** A promoted record brings an id of its own. */
function withoutId<T extends object>(members: T & { readonly id?: unknown }): Omit<T, "id"> {
  const { id: _, ...rest } = members;
  return rest;
}
