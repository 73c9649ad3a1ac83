import "server-only";
import { type Transaction, type WriteContext } from "@/lib/db/transaction";
import { groupFamily } from "@/lib/groups/family";
import { buildGroupDetail } from "@/lib/groups/queries";
import { type SaveGroupBody } from "@/lib/groups/schema";
import { toGroupContent, toGroupJson } from "@/lib/groups/wire";
import { type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { promoteRecords, saveRecords } from "@/lib/records/commands";
import { type PromoteBody } from "@/lib/records/query";

/**
 * Saves a functional group (`api.md` 11.4).
 *
 * @returns the faults that it brings to the staging table
 * @throws AppError as `saveRecords`; 400 when its consent prompt is not in staging
 */
export async function saveGroup(body: SaveGroupBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  const content = toGroupContent(body);
  const unsaved = { ...content, id: 0, status: "STAGING" } as const;
  const submitted = async ({ session }: Transaction) =>
    toGroupJson(await buildGroupDetail(unsaved, "staging", session));
  const { findings } = await saveRecords(groupFamily, [{ content, baseId: body.base_id, submitted }], writer);
  return findings;
}

/**
 * Publishes staged groups (`api.md` 11.5).
 *
 * @throws AppError as `promoteRecords`; 400 when a consent prompt or a custom parameter is not in production
 */
export async function promoteGroups({ id: ids, force }: PromoteBody, writer: WriteContext): Promise<void> {
  await promoteRecords(groupFamily, { ids, force }, writer);
}
