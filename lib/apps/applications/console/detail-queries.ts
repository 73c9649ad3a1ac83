import "server-only";
import { z } from "zod";
import type { ApplicationGroupJson, ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { listApplicationGroups } from "@/lib/apps/applications/group-queries";
import { loadApplications } from "@/lib/apps/applications/queries";
import {
  type ChangeGroup,
  type DecisionEffects,
  type ReviewJson,
  reviewedMembers,
} from "@/lib/apps/applications/console/effect-schema";
import { loadDecisionEffects } from "@/lib/apps/applications/console/effects";
import { findVersionChanges, listRequests } from "@/lib/apps/applications/console/version-changes";
import {
  type AppState,
  findBaseline,
  findLiveVersions,
  labelVersions,
  outlineColumns,
  type VersionOutline,
  toOutline,
} from "@/lib/apps/applications/versions";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import { appVersionDocument, appVersionProjection } from "@/lib/policy/documents/documents";
import type { NewPrompt } from "@/lib/policy/effect/rights-by-area";
import { type Cut, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import { policySnapshot } from "@/lib/policy/status";
import { pickMembers } from "@/lib/vocabulary/members";
import { mainLanguage } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";

export interface DetailVersion extends VersionOutline {
  readonly label: string;
  /** When this server received it, ISO 8601. */
  readonly receivedAt: string;
}

/** Everything that the page of one version shows, without secrets. */
export interface ApplicationDetail {
  readonly app: ApplicationJson;
  readonly state: AppState;
  /** Newest first. */
  readonly versions: readonly DetailVersion[];
  readonly production: number | null;
  readonly staging: number | null;
  /** When somebody accepted the version that production serves; null if nobody did, as with automatic approval. */
  readonly acceptedAt: string | null;
  /** Null: no version to compare with. */
  readonly baseline: { readonly id: number; readonly changes: ChangeGroup[] } | null;
  /** The proprietary groups in production. */
  readonly groups: readonly ApplicationGroupJson[];
  /** What was cut for head units to accept the version, on arrival or when building tables. */
  readonly cuts: readonly Cut[];
  /** Why automatic approval held the version back, until somebody decides. */
  readonly holds: readonly string[];
  /** What production grants this version once it is accepted. */
  readonly granted: readonly GroupOfApp[];
  /** None while it cannot be told what decisions change in cars. */
  readonly effects: DecisionEffects;
}

export type GroupOfApp = Pick<ApplicationGroupJson, "id" | "property_name" | "user_consent_prompt" | "is_default">;

/** The id of a version, or the uuid of an app in any case, which stands for its newest version. Null if unknown. */
export async function findAddressedVersion(
  address: string,
): Promise<{ readonly id: number; readonly isCanonical: boolean } | null> {
  await requireDatabase();
  const id = /^[1-9]\d{0,14}$/.test(address) ? Number(address) : null;
  const byId = id === null ? null : await ApplicationModel.findOne({ _id: id }, { _id: 1 }).lean();
  if (byId !== null) return { id: byId._id, isCanonical: true };
  const uuidKey = address.toLowerCase();
  const byUuid = await ApplicationModel.findOne({ uuidKey }, { _id: 1 }).sort({ _id: -1 }).lean();
  return byUuid && { id: byUuid._id, isCanonical: false };
}

/** Null for an unknown id. */
export async function loadApplicationDetail(id: number): Promise<ApplicationDetail | null> {
  await requireDatabase();
  const [app] = await loadApplications([id]);
  if (app === undefined) return null;
  const [versions, limits, groups] = await Promise.all([
    loadVersions(app.uuid),
    loadLimits(id),
    listApplicationGroups({ app_id: id, environment: "production", is_proprietary_group: undefined }),
  ]);
  const { production, staging } = findLiveVersions(versions, app.is_blacklisted);
  const baseline = findBaseline(versions, id);
  const [[earlier], acceptedAt, effects] = await Promise.all([
    loadApplications(baseline === null ? [] : [baseline.id]),
    production === null ? null : findAcceptance(production.id),
    loadDecisionEffects({ id, versions, isBlocked: app.is_blacklisted }, app),
  ]);
  return {
    app,
    state: app.is_blacklisted ? "BLOCKED" : app.approval_status,
    versions,
    production: production?.id ?? null,
    staging: staging?.id ?? null,
    acceptedAt,
    baseline: earlier === undefined ? null : { id: earlier.id, changes: findVersionChanges(earlier, app) },
    groups: groups.filter((group) => group.is_proprietary_group),
    granted: groups.filter((group) => group.has_access),
    effects,
    ...limits,
  };
}

/** Records of earlier server versions lack both members. */
const limitsDocument = z.object({
  cuts: z.array(z.object({ field: z.string(), what: z.string() })).default([]),
  holds: z.array(z.string()).default([]),
});

async function loadLimits(id: number): Promise<Pick<ApplicationDetail, "cuts" | "holds">> {
  const columns = { ...appVersionProjection, cuts: 1, holds: 1 };
  const version = await ApplicationModel.findOne({ _id: id }, columns).lean();
  if (version === null) return { cuts: [], holds: [] };
  const { cuts, holds } = limitsDocument.parse(version);
  const parsed = appVersionDocument.safeParse(version);
  // Earlier server versions did not cut records on arrival.
  const late = parsed.success ? limitEntryTexts(parsed.data).cuts : [];
  return { cuts: [...cuts, ...late], holds };
}

async function loadVersions(uuid: string): Promise<DetailVersion[]> {
  const columns = { ...outlineColumns, storedAt: 1 } as const;
  const found = await ApplicationModel.find({ uuid }, columns).sort({ _id: -1 }).lean();
  const labels = labelVersions(found.map(toOutline));
  return found.map((version) => ({
    ...toOutline(version),
    label: labels.get(version._id) ?? "",
    receivedAt: version.storedAt.toISOString(),
  }));
}

async function findAcceptance(id: number): Promise<string | null> {
  const event = await AuditEventModel.findOne(
    { target: `application:${id}`, action: "applications.action", "after.approval_status": "ACCEPTED" },
    { at: 1 },
  )
    .sort({ _id: -1 })
    .lean();
  return event?.at.toISOString() ?? null;
}

/** What somebody looks at before deciding (rule L32). Throws AppError 404 for an unknown id. */
export async function loadReview(id: number): Promise<ReviewJson> {
  const detail = await loadApplicationDetail(id);
  if (detail === null) throw new AppError("notFound", "No version of an app has this id");
  const { app, versions, baseline, granted, effects } = detail;
  const effect = effects.accept?.effect ?? null;
  return {
    application: pickMembers(app, reviewedMembers),
    versions: versions.map((version) => ({
      ...{ id: version.id, label: version.label, version_id: version.versionId },
      ...{ developer_version: version.developerVersion, approval_status: version.approvalStatus },
    })),
    baseline: versions.find((version) => version.id === baseline?.id)?.label ?? null,
    changes: baseline?.changes ?? listRequests(app),
    effect,
    groups: granted.flatMap(({ property_name: name, is_default: isDefault }) => (isDefault ? [] : name)),
    prompts: (effect?.asked ?? []).map((asked) => describePrompt(asked, app.name)),
  };
}

/** In the language that every message has. */
function describePrompt({ group, prompt }: NewPrompt, appName: string): ReviewJson["prompts"][number] {
  const message = policySnapshot()?.messages.production.find(({ category }) => category === prompt);
  const texts = message?.languages.find(({ languageId }) => languageId === mainLanguage) ?? message?.languages.at(-1);
  const lines = [texts?.line1, texts?.line2].filter(Boolean).join(" ");
  const fill = (text: string) => text.replaceAll("%appName%", () => appName);
  return { group, title: fill(texts?.label || prompt), text: fill(texts?.textBody || lines || texts?.tts || "") };
}
