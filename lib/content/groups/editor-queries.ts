import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { findHeads } from "@/lib/platform/db/heads";
import { buildPromptLink, type PromptState } from "@/lib/content/groups/console-rows";
import type { GroupPageQuery } from "@/lib/content/groups/console-schema";
import { findGroup, findPrompts, groupSource, loadGroupTemplate } from "@/lib/content/groups/queries";
import { loadParameterSources } from "@/lib/content/vehicle-data/specification";
import type { GroupRecord } from "@/lib/content/groups/rules";
import type { GroupJson } from "@/lib/content/groups/wire";
import { listMessages } from "@/lib/content/messages/queries";
import { listUncovered } from "@/lib/content/groups/coverage";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { Environment } from "@/lib/labels/vocabulary";
import { findLastContent, findLiving, loadNewest, loadVisible } from "@/lib/content/records/queries";
import { FunctionalGroupModel } from "@/models/functional-group";

/** A prompt that a group can ask with. */
export interface PromptChoice {
  readonly category: string;
  readonly state: PromptState;
  /** What is spoken, in English if there is English. */
  readonly text: string | null;
}

/** One group with all that its page shows. */
export interface GroupEditor {
  readonly group: GroupJson;
  /** The prompt as stored; `group` has none when the view no longer has that message. */
  readonly storedPrompt: string | null;
  readonly environment: Environment;
  /** Whether there is a group of this name in production. */
  readonly isPromoted: boolean;
  /** When this version was saved or promoted, ISO 8601; null for a new group. */
  readonly changedAt: string | null;
  readonly prompts: readonly PromptChoice[];
  /** RPCs and parameters that no group in staging contains. */
  readonly unmapped: readonly string[];
  /** By RPC, the parameters that reach vehicles, here or after a promotion (rule F5). */
  readonly usable: Readonly<Record<string, readonly string[]>>;
  /** Custom vehicle data that is in staging only. */
  readonly stagedVehicleData: readonly string[];
}

/**
 * Finds what a page of one group shows: the newest version of the view, whatever version of the group
 * the address names. Whoever edits an older one would undo what came after it; and a page that leads elsewhere after
 * each save would be empty for a moment.
 *
 * @returns null when there is no such group, or no longer
 */
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
  // What was never promoted is in staging, whatever the address says.
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

/** The newest version of a group in staging as it is stored; a deletion that is promoted leaves none. */
export async function findNewestGroup(name: string): Promise<GroupRecord | null> {
  const [record] = await loadVisible(groupSource, "staging", { keys: [name] });
  return record ?? null;
}

/**
 * The content that a deleted group had last, to be stored again: what production had before its deletion, else the newest
 * version that was none.
 *
 * @returns with the id of the group's newest record, for `base_id`; null for a group that never was, or is there
 */
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
