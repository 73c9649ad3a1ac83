import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { findHeads } from "@/lib/platform/db/heads";
import { buildPromptLink, type PromptState } from "@/lib/records/groups/console-rows";
import type { GroupPageQuery } from "@/lib/records/groups/console-schema";
import { findGroup, findPrompts, groupSource, loadGroupTemplate } from "@/lib/records/groups/queries";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import type { GroupRecord } from "@/lib/records/groups/rules";
import type { GroupJson } from "@/lib/records/groups/wire";
import { listMessages } from "@/lib/records/messages/queries";
import { listUncovered } from "@/lib/records/groups/coverage";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { Environment } from "@/lib/vocabulary/terms";
import { findLastContent, findLiving, loadNewest, loadVisible } from "@/lib/records/store/queries";
import { FunctionalGroupModel } from "@/models/functional-group";

export interface PromptChoice {
  readonly category: string;
  readonly state: PromptState;
  readonly text: string | null;
}

export interface GroupEditor {
  readonly group: GroupJson;
  /** The stored prompt; `group` has none if its message no longer exists in the view. */
  readonly storedPrompt: string | null;
  readonly environment: Environment;
  readonly isPromoted: boolean;
  /** When this version was saved or published, ISO 8601; null for a new group. */
  readonly changedAt: string | null;
  readonly prompts: readonly PromptChoice[];
  readonly unmapped: readonly string[];
  /** The parameters that reach vehicles, now or after publishing, by RPC. */
  readonly usable: Readonly<Record<string, readonly string[]>>;
  readonly stagedVehicleData: readonly string[];
}

/** The newest version of the view, even for an older id: editing that would undo later changes. Null if gone. */
export async function findGroupPage({ id, name, from, environment }: GroupPageQuery): Promise<GroupEditor | null> {
  await requireDatabase();
  if (id === null) return null;
  if (id === undefined && name === undefined) {
    const template = await loadGroupTemplate("staging");
    const source = from === undefined ? null : await findGroup(from, "staging");
    return buildEditor(source === null ? template : { ...source, ...unsaved }, "staging");
  }
  const record = await findAddressed(id, name);
  if (record === null) return null;
  const view = environment ?? (record.status === "STAGING" ? "staging" : "production");
  const [newest] = await findHeads("group", view, { keys: [record.name] });
  // A group that was never published exists only in staging, whatever the URL says.
  if (newest === undefined) return findGroupPage({ id, name, from, environment: "staging" });
  const group = await findGroup(newest.id, view);
  const isGone = group === null || (group.is_deleted && group.status === "PRODUCTION");
  return isGone ? null : buildEditor(group, view);
}

const unsaved = { id: 0, name: "", status: "", is_deleted: false } as const;

function findAddressed(id: number | undefined, name: string | undefined) {
  const members = { name: 1, status: 1 } as const;
  if (id !== undefined) return FunctionalGroupModel.findOne({ _id: id }, members).lean();
  return FunctionalGroupModel.findOne({ name: name ?? "" }, members)
    .sort({ _id: -1 })
    .lean();
}

/** The newest stored version of a group in staging; null after its deletion was published. */
export async function findNewestGroup(name: string): Promise<GroupRecord | null> {
  const [record] = await loadVisible(groupSource, "staging", { keys: [name] });
  return record ?? null;
}

/** The last content of a deleted group, preferably of production. Null if the group never existed or still exists. */
export async function findRemovedGroup(name: string): Promise<GroupRecord | null> {
  const [head] = await loadNewest(groupSource, "staging", { keys: [name] });
  if (head?.isDeleted !== true) return null;
  const id = await findLastContent(groupSource, name);
  const [record] = id === null ? [head] : await groupSource.load([id]);
  return record === undefined ? null : { ...record, id: head.id, isDeleted: true };
}

async function buildEditor(group: GroupJson, environment: Environment): Promise<GroupEditor> {
  const [prompts, uncovered, sources, promoted, stored] = await Promise.all([
    listPromptChoices(environment),
    listUncovered(),
    loadParameterSources(),
    findLiving("group", "production", { keys: group.name === "" ? [] : [group.name] }),
    FunctionalGroupModel.findOne({ _id: group.id }, { createdAt: 1, userConsentPrompt: 1 }).lean(),
  ]);
  const isUsable = usableParameters(sources);
  const promotedRoots = new Set(sources.vehicleData.production.filter((one) => !one.isDeleted).map((one) => one.name));
  const usableOf = ({ name, parameters }: GroupJson["rpcs"][number]) =>
    parameters.flatMap(({ key }) =>
      isUsable({ status: environment === "staging" ? "STAGING" : "PRODUCTION" }, name, key) ? [key] : [],
    );
  return {
    group,
    storedPrompt: stored === null ? group.user_consent_prompt : (stored.userConsentPrompt ?? null),
    environment,
    isPromoted: promoted.has(group.name),
    changedAt: stored?.createdAt.toISOString() ?? null,
    prompts,
    unmapped: uncovered.filter(({ isMapped }) => !isMapped.staging).map(({ name }) => name),
    usable: Object.fromEntries(
      group.rpcs.filter(({ parameters }) => parameters.length > 0).map((rpc) => [rpc.name, usableOf(rpc)]),
    ),
    stagedVehicleData: sources.vehicleData.staging
      .filter(({ name, isDeleted }) => !isDeleted && !promotedRoots.has(name))
      .map(({ name }) => name),
  };
}

async function listPromptChoices(environment: Environment): Promise<PromptChoice[]> {
  const { items } = await listMessages({ environment, hideDeleted: true, sort: "name" });
  const categories = items.map(({ category }) => category);
  const [staging, production] = await Promise.all([
    findPrompts(categories, "staging"),
    findPrompts(categories, "production"),
  ]);
  return items.flatMap(({ category, text }) => {
    const link = buildPromptLink(category, { staging, production }, environment);
    return link === null ? [] : [{ category, state: link.state, text }];
  });
}
