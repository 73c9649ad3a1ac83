import "server-only";
import { loadEntryVersions } from "@/lib/apps/applications/entry-versions";
import { labelVersions, outlineColumns, toOutline } from "@/lib/apps/applications/versions";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import { requirePolicy } from "@/lib/policy/status";
import { entryVersion, grantedVersion } from "@/lib/policy/table/app-policies";
import { matchApp } from "@/lib/policy/table/match-app";
import { requirePolicyAsOf } from "@/lib/releases/publish/as-of";
import type { MatrixAnswer } from "@/lib/policy/why/answer-schema";
import { buildMatrix } from "@/lib/policy/why/app-matrix";
import type { AppFacts, FindFacts } from "@/lib/policy/why/decision";
import type { MatrixQuery } from "@/lib/policy/why/schema";
import { loadSettings } from "@/lib/platform/settings";
import { prepareView, type SimulatedCars, type SimulatorView } from "@/lib/policy/why/view";
import { chosenBuilds, chosenCars, newestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { distinct, groupBy } from "@/lib/vocabulary/order";

/**
 * The policy of an environment, or of production as of a release, and the view that explains it.
 * @throws AppError 404 unknown release, 409 no module config then, 503 no policy in service; DatabaseUnavailable
 */
export async function requireState(source: Environment | number) {
  const policy = await (typeof source === "number" ? requirePolicyAsOf(source) : requirePolicy(source));
  const asked: SimulatedCars = { builds: chosenBuilds(loadSettings()), version: newestCore };
  return { policy, view: prepareView(policy.snapshot, policy.environment, policy.rules, asked) };
}

export function withVersion({ view }: { readonly view: SimulatorView }, version: CoreVersion): SimulatorView {
  return { ...view, asked: { ...view.asked, version } };
}

/** One query; `uuids` in any case. */
export async function loadFacts(uuids: Iterable<string>): Promise<FindFacts> {
  const keys = distinct(Array.from(uuids, (uuid) => uuid.toLowerCase()));
  if (keys.length === 0) return () => null;
  await requireDatabase();
  const columns = { uuidKey: 1, name: 1, ...outlineColumns } as const;
  const found = await ApplicationModel.find({ uuidKey: { $in: keys } }, columns)
    .sort({ _id: -1 })
    .lean();
  const versionsOf = groupBy(found, ({ uuidKey }) => uuidKey);
  const facts = new Map(distinct(found.map(({ uuidKey }) => uuidKey)).map((key) => [key, toFacts(versionsOf(key))]));
  return (uuid) => facts.get(uuid.toLowerCase()) ?? null;
}

function toFacts(stored: readonly (Parameters<typeof toOutline>[0] & { readonly name: string })[]): AppFacts {
  const outlines = stored.map(toOutline);
  const labels = labelVersions(outlines);
  return {
    name: stored[0]?.name ?? "",
    versions: outlines.map(({ id, approvalStatus }) => ({ id, label: labels.get(id) ?? "", approvalStatus })),
  };
}

/**
 * What a version requests and gets in an environment, or would get if it were served (`releases.md` L15).
 * @throws AppError 404 unknown app or version, 409 damaged version, 503 no policy in service; DatabaseUnavailable
 */
export async function loadMatrix({
  app: uuid,
  version: id,
  environment,
  head_unit: core = newestCore,
}: MatrixQuery): Promise<MatrixAnswer> {
  const view = withVersion(await requireState(environment), core);
  const app = matchApp(view.snapshot.apps, uuid, true);
  const facts = (await loadFacts([uuid]))(uuid);
  const served = app === undefined ? null : grantedVersion(app, environment);
  const wanted = id ?? served?.id ?? facts?.versions[0]?.id;
  const outline = facts?.versions.find((version) => version.id === wanted);
  if (app === undefined || facts === null || outline === undefined) {
    throw new AppError("notFound", id === undefined ? "No app has this uuid" : "This app has no version with this id");
  }
  const isServed = served !== null && served.id === outline.id;
  const [version] = isServed ? [entryVersion(served)] : await loadEntryVersions([outline.id]);
  if (version === undefined)
    throw new AppError("conflict", "This version is damaged: no policy entry can be made of it");
  return {
    app: {
      uuid: app.uuid,
      name: facts.name,
      version_id: outline.id,
      version: outline.label,
      approval_status: outline.approvalStatus,
    },
    environment,
    head_unit: core,
    served_id: app.isBlacklisted ? null : (served?.id ?? null),
    is_served: isServed && !app.isBlacklisted,
    is_blocked: app.isBlacklisted,
    ...buildMatrix(view, app, version, chosenCars(loadSettings())),
  };
}
