import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { buildPromptLink, type PromptState } from "@/lib/records/groups/console-rows";
import type { GroupPageQuery } from "@/lib/records/groups/console-schema";
import { findPrompts, groupSource, loadGroupRecords, loadVocabulary } from "@/lib/records/groups/queries";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import { emptyGroup, type GroupContent } from "@/lib/records/groups/rules";
import { buildRpcChoices, toSaveBody } from "@/lib/records/groups/wire";
import { listMessages } from "@/lib/records/messages/queries";
import { listUncovered } from "@/lib/records/groups/coverage";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import { findLiving, loadNewest } from "@/lib/records/store/queries";
import { FunctionalGroupModel } from "@/models/functional-group";

export interface PromptChoice {
  readonly category: string;
  readonly state: PromptState;
  readonly text: string | null;
}

export interface RpcChoice {
  readonly name: string;
  readonly parameters: readonly { readonly key: string; readonly isCustom: boolean }[];
}

export interface GroupEditor {
  /** A new group has the id 0 and no status. */
  readonly group: ReturnType<typeof toSaveBody> & Pick<EditedGroup, "id" | "status">;
  readonly environment: Environment;
  readonly isPromoted: boolean;
  /** When this version was saved or published, ISO 8601; null for a new group. */
  readonly changedAt: string | null;
  readonly prompts: readonly PromptChoice[];
  /** All that are known or in the group. */
  readonly rpcs: readonly RpcChoice[];
  readonly unmapped: readonly string[];
  /** The parameters that reach vehicles, now or after publishing, by RPC. */
  readonly usable: Readonly<Record<string, readonly string[]>>;
  readonly stagedVehicleData: readonly string[];
}

interface EditedGroup extends GroupContent {
  readonly id: number;
  readonly status: RecordStatus | "";
  readonly createdAt: Date | null;
}

/** The newest version of the view, even for an older id: editing that would undo later changes. Null if gone. */
export async function findGroupPage({ id, name, from, environment }: GroupPageQuery): Promise<GroupEditor | null> {
  await requireDatabase();
  if (id === null) return null;
  if (id === undefined && name === undefined) {
    const [source = emptyGroup] = from === undefined ? [] : await loadGroupRecords([from]);
    return buildEditor({ ...source, ...unsaved }, "staging");
  }
  const record = await findAddressed(id, name);
  if (record === null) return null;
  const view = environment ?? (record.status === "STAGING" ? "staging" : "production");
  const [group] = await loadNewest(groupSource, view, { keys: [record.name] });
  // A group that was never published exists only in staging, whatever the URL says.
  if (group === undefined) return findGroupPage({ id, name, from, environment: "staging" });
  return group.isDeleted && group.status === "PRODUCTION" ? null : buildEditor(group, view);
}

const unsaved = { id: 0, name: "", status: "", isDeleted: false, createdAt: null } as const;

function findAddressed(id: number | undefined, name: string | undefined) {
  const members = { name: 1, status: 1 } as const;
  if (id !== undefined) return FunctionalGroupModel.findOne({ _id: id }, members).lean();
  return FunctionalGroupModel.findOne({ name: name ?? "" }, members)
    .sort({ _id: -1 })
    .lean();
}

async function buildEditor(group: EditedGroup, environment: Environment): Promise<GroupEditor> {
  const { id, name, status, createdAt } = group;
  const [prompts, vocabulary, uncovered, sources, promoted] = await Promise.all([
    listPromptChoices(environment),
    loadVocabulary(environment),
    listUncovered(),
    loadParameterSources(),
    findLiving("group", "production", { keys: name === "" ? [] : [name] }),
  ]);
  // A copy does not start with a message that is gone.
  const isCopied = id > 0 || prompts.some(({ category }) => category === group.userConsentPrompt);
  const isUsable = usableParameters(sources);
  const view = { status: environment === "staging" ? "STAGING" : "PRODUCTION" } as const;
  const promotedRoots = new Set(sources.vehicleData.production.filter((one) => !one.isDeleted).map((one) => one.name));
  const rpcs = buildRpcChoices(group.rpcs, vocabulary).map((rpc) => ({
    name: rpc.name,
    parameters: rpc.parameters.map(({ key, is_custom: isCustom }) => ({ key, isCustom })),
  }));
  const listUsable = (rpc: RpcChoice) =>
    rpc.parameters.flatMap(({ key }) => (isUsable(view, rpc.name, key) ? [key] : []));
  return {
    group: { id, status, ...toSaveBody(isCopied ? group : { ...group, userConsentPrompt: null }) },
    environment,
    isPromoted: promoted.has(name),
    changedAt: createdAt?.toISOString() ?? null,
    prompts,
    rpcs,
    unmapped: uncovered.filter(({ isMapped }) => !isMapped.staging).map((one) => one.name),
    usable: Object.fromEntries(
      rpcs.filter(({ parameters }) => parameters.length > 0).map((rpc) => [rpc.name, listUsable(rpc)]),
    ),
    stagedVehicleData: sources.vehicleData.staging
      .filter((one) => !one.isDeleted && !promotedRoots.has(one.name))
      .map((one) => one.name),
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
