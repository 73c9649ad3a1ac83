import "server-only";
import type { ClientSession } from "mongoose";
import { recordFamilies } from "@/lib/platform/db/heads";
import {
  buildGroupSummary,
  buildRpcChoices,
  emptyGroup,
  type ConsentPrompt,
  type GroupDetail,
  type GroupRecord,
  type GroupSummary,
  type StoredGroup,
  type Vocabulary,
} from "@/lib/content/groups/rules";
import { loadParameterSources } from "@/lib/content/vehicle-data/specification";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byCodeUnit, distinct } from "@/lib/labels/order";
import { pickGroupFlags } from "@/lib/labels/group-flags";
import type { Environment } from "@/lib/labels/vocabulary";
import type { RecordSource } from "@/lib/content/records/family";
import type { Page, Paging } from "@/lib/content/records/page";
import { findStates, listNames, listRecords } from "@/lib/content/records/queries";
import { FunctionalGroupModel, type FunctionalGroupRecord } from "@/models/functional-group";
import { PermissionModel } from "@/models/permission";

/** How functional groups are read (`api.md` 11.1). */
export const groupSource: RecordSource<StoredGroup> = {
  ...recordFamilies.group,
  load: loadGroupRecords,
  keyOf: ({ name }) => name,
  compareKeys: byCodeUnit,
  searchTexts: ({ name, description }) => [name, description],
};

/** Lists the groups that a view shows, by name unless asked otherwise (`api.md` 11.1). */
export async function listGroups(query: { readonly environment: Environment } & Paging): Promise<Page<GroupSummary>> {
  const page = await listRecords(groupSource, query);
  return { ...page, items: await buildSummaries(page.items, query.environment) };
}

/** Finds a group record by id; its prompt and custom vehicle data are looked up in that view. */
export async function findGroup(
  id: number,
  environment: Environment,
  session?: ClientSession,
): Promise<GroupDetail | null> {
  const [record] = await loadGroupRecords([id], session);
  return record === undefined ? null : buildGroupDetail(record, environment, session);
}

/** A record, stored or not, with all that could be in it. */
export async function buildGroupDetail(
  record: GroupRecord,
  environment: Environment,
  session?: ClientSession,
): Promise<GroupDetail> {
  const [summary] = await buildSummaries([record], environment, session);
  if (summary === undefined) throw new Error("One record gives one summary.");
  return { ...summary, rpcs: buildRpcChoices(record.rpcs, await loadVocabulary(environment, session)) };
}

/** The empty group that a new one starts from (`api.md` 11.1, template). */
export async function loadGroupTemplate(environment: Environment): Promise<GroupDetail> {
  const rpcs = buildRpcChoices([], await loadVocabulary(environment));
  return { ...emptyGroup, prompt: null, selectedRpcCount: 0, selectedParameterCount: 0, rpcs };
}

/** Lists the names in use, unpromoted deletions included (`api.md` 11.3). */
export const listGroupNames = () => listNames("group");

/** Reads records by id, in no particular order. */
export async function loadGroupRecords(ids: readonly number[], session?: ClientSession): Promise<StoredGroup[]> {
  const documents = await FunctionalGroupModel.find({ _id: { $in: ids } })
    .session(session ?? null)
    .lean();
  return documents.map((document) => ({ ...toGroupRecord(document), createdAt: document.createdAt }));
}

/** Finds the consent prompts of these categories that a view can show, by category. */
export async function findPrompts(
  categories: readonly string[],
  environment: Environment,
  session?: ClientSession,
): Promise<Map<string, ConsentPrompt>> {
  const messages = await findStates("message", environment, { keys: distinct(categories), session });
  return new Map(
    messages.filter(({ isDeleted }) => !isDeleted).map(({ key, id, status }) => [key, { id, category: key, status }]),
  );
}

async function buildSummaries(
  records: readonly GroupRecord[],
  environment: Environment,
  session?: ClientSession,
): Promise<GroupSummary[]> {
  const categories = records.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const prompts = await findPrompts(categories, environment, session);
  const isUsable = usableParameters(await loadParameterSources(session));
  return records.map((record) =>
    buildGroupSummary(record, prompts.get(record.userConsentPrompt ?? "") ?? null, isUsable),
  );
}

async function loadVocabulary(environment: Environment, session?: ClientSession): Promise<Vocabulary> {
  const permissions = await PermissionModel.find(
    { type: { $in: ["RPC", "PARAMETER"] } },
    { name: 1, type: 1, parents: 1 },
  )
    .session(session ?? null)
    .lean();
  const parameters = new Map<string, string[]>();
  for (const { name, type, parents } of permissions) {
    if (type !== "PARAMETER") continue;
    for (const parent of parents) parameters.set(parent, [...(parameters.get(parent) ?? []), name]);
  }
  const { vehicleData } = await loadParameterSources(session);
  return {
    rpcs: permissions.filter(({ type }) => type === "RPC").map(({ name }) => name),
    parameters,
    customData: vehicleData[environment].filter(({ isDeleted }) => !isDeleted).map(({ name }) => name),
  };
}

function toGroupRecord({ _id, ...stored }: FunctionalGroupRecord): GroupRecord {
  return {
    id: _id,
    name: stored.name,
    description: stored.description ?? null,
    status: stored.status,
    isDeleted: stored.isDeleted,
    ...pickGroupFlags(stored),
    userConsentPrompt: stored.userConsentPrompt ?? null,
    rpcs: stored.rpcs.map(({ name, levels, parameters }) => ({ name, levels, parameters })),
  };
}
