import type { GroupListQuery } from "@/lib/records/groups/console-schema";
import { type ConsentPrompt, countParameters, type GroupRecord } from "@/lib/records/groups/rules";
import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { type GrantKind, listGrants, groupGrants } from "@/lib/vocabulary/group-flags";
import { distinct } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import type { ListedRecord } from "@/lib/records/store/listing";
import type { SnapshotRpc } from "@/lib/policy/table/snapshot";

/** Where a group's prompt exists: `modified` has newer wording in staging than in production, `missing` is nowhere. */
export type PromptState = "production" | "modified" | "staging" | "missing";

export interface PromptLink {
  readonly category: string;
  /** The record in the view shown, otherwise the one that exists; null if there is none. */
  readonly id: number | null;
  readonly state: PromptState;
}

export interface GroupRow extends ListedRecord {
  readonly description: string | null;
  readonly grants: readonly GrantKind[];
  readonly rpcCount: number;
  readonly parameterCount: number;
  readonly prompt: PromptLink | null;
  readonly found: readonly string[];
  readonly foundCount: number;
}

export type PromptViews = Readonly<Record<Environment, ReadonlyMap<string, ConsentPrompt>>>;

interface RowContext {
  readonly prompts: PromptViews;
  readonly isUsable: IsUsableParameter;
  readonly query: Pick<GroupListQuery, "q" | "environment">;
  readonly isNew: boolean;
  readonly changedAt: Date;
}

const maxFound = 4;

export function buildGroupRow(record: GroupRecord, context: RowContext): GroupRow {
  const found = findWords(record, context.query.q);
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    status: record.status,
    isDeleted: record.isDeleted,
    isNew: context.isNew,
    grants: listGrants(record),
    rpcCount: record.rpcs.filter(({ levels }) => levels.length > 0).length,
    parameterCount: countParameters(record, context.isUsable),
    prompt: buildPromptLink(record.userConsentPrompt, context.prompts, context.query.environment),
    changedAt: context.changedAt.toISOString(),
    found: found.slice(0, maxFound),
    foundCount: found.length,
  };
}

export function buildPromptLink(
  category: string | null,
  { staging, production }: PromptViews,
  environment: Environment,
): PromptLink | null {
  if (category === null) return null;
  const [staged, promoted] = [staging.get(category), production.get(category)];
  const shown = environment === "staging" ? (staged ?? promoted) : promoted;
  return { category, id: shown?.id ?? null, state: describePrompt(staged, promoted, environment) };
}

function describePrompt(
  staged: ConsentPrompt | undefined,
  promoted: ConsentPrompt | undefined,
  environment: Environment,
): PromptState {
  if (environment === "production") return promoted === undefined ? "missing" : "production";
  if (staged === undefined) return "missing";
  if (promoted === undefined) return "staging";
  return staged.status === "STAGING" ? "modified" : "production";
}

function findWords({ rpcs }: GroupRecord, q: string | undefined): string[] {
  if (q === undefined) return [];
  const wanted = q.toLowerCase();
  const words = rpcs.flatMap(({ name, parameters }) => [name, ...parameters]);
  return distinct(words).filter((word) => word.toLowerCase().includes(wanted));
}

type Filters = Partial<Pick<GroupListQuery, "q" | "rpc" | "param" | "level" | "grant" | "prompt" | "encryption">>;

export function passesFilter(group: GroupRecord, filters: Filters): boolean {
  const { q, rpc, param, level, grant, prompt, encryption } = filters;
  if (grant !== undefined && !group[groupGrants[grant].flag]) return false;
  if (prompt !== undefined && (group.userConsentPrompt === null) !== (prompt === "without")) return false;
  if (encryption !== undefined && !group.encryptionRequired) return false;
  const isAsked = (one: SnapshotRpc) =>
    (rpc === undefined || one.name === rpc) &&
    (param === undefined || one.parameters.includes(param)) &&
    (level === undefined || one.levels.includes(level));
  const asked = group.rpcs.filter(isAsked);
  if (asked.length === 0 && (rpc ?? param ?? level) !== undefined) return false;
  // "speed at BACKGROUND": the match itself must be allowed at that level, not just anything in the group.
  return q === undefined || saysItself(group, q) || asked.some((one) => holdsWord(one, q.toLowerCase()));
}

function saysItself({ name, description, userConsentPrompt }: GroupRecord, q: string): boolean {
  const wanted = q.toLowerCase();
  return [name, description, userConsentPrompt].some((text) => text?.toLowerCase().includes(wanted) === true);
}

function holdsWord({ name, parameters }: SnapshotRpc, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || parameters.some((key) => key.toLowerCase().includes(wanted));
}
