import "server-only";
import { type Transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { listLostParameters } from "@/lib/groups/promotion-rules";
import { buildGroupDetail, findPrompts, loadGroupRecords } from "@/lib/groups/queries";
import { type GroupContent, type GroupRecord } from "@/lib/groups/rules";
import { toGroupJson } from "@/lib/groups/wire";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { distinct } from "@/lib/words/order";
import { type Environment } from "@/lib/words/vocabulary";
import { type RecordFamily } from "@/lib/records/family";
import { FunctionalGroupModel } from "@/models/functional-group";

/** Functional groups as versioned records; the key is the name (`api.md` 11). */
export const groupFamily: RecordFamily<GroupContent, GroupRecord> = {
  name: "groups",
  area: "groups",
  keyOf: ({ name }) => name,
  targetOf: ({ name }) => `group:${name}`,
  subjectOf: () => "The group",
  load: loadGroupRecords,
  toJson: async (record, session) => toGroupJson(await buildGroupDetail(record, "staging", session)),
  number: async (tx, groups) => {
    const ids = await tx.nextIds("functional_groups", groups.length);
    return groups.map((group, index) => ({ ...group, id: ids[index] ?? 0 }));
  },
  insert: async ({ session }, groups) => {
    const documents = groups.map(({ id, rpcs, ...members }) => ({ ...members, rpcs: [...rpcs], _id: id }));
    await FunctionalGroupModel.insertMany(documents, { session, timestamps: false });
  },
  requireSavable: (tx, groups) => requirePrompts(tx, groups, "staging", "Consent prompt not found"),
  requirePromotable: async (tx, groups) => {
    await requirePrompts(tx, groups, "production", "Consent prompt is not in production");
    await requireVehicleData(tx, groups);
  },
};

/** The groups that stay must ask with a message that the view has. */
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

/** The groups that stay must not lose custom parameters on the way to production, with `force` neither. */
async function requireVehicleData(tx: Transaction, groups: readonly GroupRecord[]): Promise<void> {
  const isUsable = usableParameters(await loadParameterSources(tx.session));
  const missing = groups
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap((group) => listLostParameters(group, isUsable).map((parameter) => `${parameter} (${group.name})`));
  if (missing.length > 0) {
    throw new AppError("invalid", `Custom vehicle data is not in production: ${missing.join(", ")}`);
  }
}
