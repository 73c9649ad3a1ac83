import "server-only";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import { listLostParameters, type GroupContent, type GroupRecord } from "@/lib/records/groups/rules";
import { findPrompts, groupSource, loadGroupDetail } from "@/lib/records/groups/queries";
import { type SaveGroupBody, saveGroupBody } from "@/lib/records/groups/schema";
import { toGroupContent, toSaveBody } from "@/lib/records/groups/wire";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { saveRecords } from "@/lib/records/store/commands";
import { numberEach, type RecordFamily } from "@/lib/records/store/family";
import { distinct } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import { FunctionalGroupModel } from "@/models/functional-group";

export const groupFamily: RecordFamily<GroupContent, GroupRecord> = {
  ...groupSource,
  model: FunctionalGroupModel,
  item: "group",
  area: "groups",
  targetOf: ({ name }) => `group:${name}`,
  subjectOf: () => "The group",
  toJson: (record, session) => loadGroupDetail(record, "staging", session),
  toBody: toSaveBody,
  contentOf: (body) => Promise.resolve(toGroupContent(saveGroupBody.parse(body))),
  number: (tx, groups) => numberEach(tx, "functional_groups", groups),
  requireSavable: (tx, groups) => requirePrompts(tx, groups, "staging", "Consent prompt not found"),
  requirePromotable: async (tx, groups) => {
    await requirePrompts(tx, groups, "production", "Consent prompt is not in production");
    await requireVehicleData(tx, groups);
  },
};

/** Saves a functional group (`api.md` 11.4) and returns the findings it introduces. Throws like `saveRecords`. */
export async function saveGroup(body: SaveGroupBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  const edit = { content: toGroupContent(body), baseId: body.base_id };
  return (await saveRecords(groupFamily, [edit], writer)).findings;
}

async function requirePrompts(
  tx: Transaction,
  groups: readonly GroupContent[],
  environment: Environment,
  sentence: string,
): Promise<void> {
  const wanted = groups
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const found = await findPrompts(wanted, environment, tx.session);
  const missing = distinct(wanted).filter((category) => !found.has(category));
  if (missing.length > 0) throw new AppError("invalid", `${sentence}: ${missing.join(", ")}`);
}

/** Publishing must not drop custom parameters from groups that are not deleted, not even with `force`. */
async function requireVehicleData(tx: Transaction, groups: readonly GroupRecord[]): Promise<void> {
  const isUsable = usableParameters(await loadParameterSources(tx.session));
  const missing = groups
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap((group) => listLostParameters(group, isUsable).map((parameter) => `${parameter} (${group.name})`));
  if (missing.length > 0) {
    throw new AppError("invalid", `Custom vehicle data is not in production: ${missing.join(", ")}`);
  }
}
