import "server-only";
import type { ClientSession } from "mongoose";
import { recordFamilies } from "@/lib/platform/db/heads";
import { type GroupJson, toGroupJson, type UnsavedGroup } from "@/lib/records/groups/wire";
import {
  type ConsentPrompt,
  emptyGroup,
  type GroupRecord,
  type StoredGroup,
  type Vocabulary,
} from "@/lib/records/groups/rules";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { pickGroupFlags } from "@/lib/vocabulary/group-flags";
import type { Environment } from "@/lib/vocabulary/terms";
import type { RecordSource } from "@/lib/records/store/family";
import type { Page, Paging } from "@/lib/records/store/page";
import { findStates, listNames, listRecords } from "@/lib/records/store/queries";
import { FunctionalGroupModel, type FunctionalGroupRecord } from "@/models/functional-group";
import { PermissionModel } from "@/models/permission";

export const groupSource: RecordSource<StoredGroup> = {
  ...recordFamilies.group,
  load: loadGroupRecords,
  keyOf: ({ name }) => name,
  compareKeys: byCodeUnit,
  searchTexts: ({ name, description }) => [name, description],
};

/** Lists the groups of a view, by name unless the query sorts otherwise (`api.md` 11.1). */
export async function listGroups(query: { readonly environment: Environment } & Paging): Promise<Page<GroupJson>> {
  const { items, nextCursor } = await listRecords(groupSource, query);
  const surroundingsOf = await loadSurroundings(items, query.environment);
  return { items: items.map((group) => toGroupJson(group, surroundingsOf(group))), nextCursor };
}

/** Finds a group record by id with all its choices; prompt and custom vehicle data come from the given view. */
export async function findGroup(id: number, environment: Environment): Promise<GroupJson | null> {
  const [group] = await loadGroupRecords([id]);
  return group === undefined ? null : loadGroupDetail(group, environment);
}

export async function loadGroupDetail(
  group: UnsavedGroup,
  environment: Environment,
  session?: ClientSession,
): Promise<GroupJson> {
  const surroundingsOf = await loadSurroundings([group], environment, session);
  return toGroupJson(group, { ...surroundingsOf(group), vocabulary: await loadVocabulary(environment, session) });
}

export const loadGroupTemplate = (environment: Environment) => loadGroupDetail(emptyGroup, environment);

export const listGroupNames = () => listNames("group");

/** Reads records by id, unordered. */
export async function loadGroupRecords(ids: readonly number[], session?: ClientSession): Promise<StoredGroup[]> {
  const documents = await FunctionalGroupModel.find({ _id: { $in: ids } })
    .session(session ?? null)
    .lean();
  return documents.map((document) => ({ ...toGroupRecord(document), createdAt: document.createdAt }));
}

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

async function loadSurroundings(groups: readonly UnsavedGroup[], environment: Environment, session?: ClientSession) {
  const categories = groups.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const prompts = await findPrompts(categories, environment, session);
  const isUsable = usableParameters(await loadParameterSources(session));
  return ({ userConsentPrompt: prompt }: UnsavedGroup) => ({ prompt: prompts.get(prompt ?? "") ?? null, isUsable });
}

export async function loadVocabulary(environment: Environment, session?: ClientSession): Promise<Vocabulary> {
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
