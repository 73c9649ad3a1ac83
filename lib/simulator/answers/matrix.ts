import "server-only";
import { AppError } from "@/lib/platform/errors";
import { entryVersion, grantedVersion } from "@/lib/policy/table/app-policies";
import { matchApp } from "@/lib/policy/table/match-app";
import type { MatrixAnswer } from "@/lib/simulator/answer-schema";
import { buildMatrix } from "@/lib/simulator/app-matrix";
import { askedAs, loadFacts, loadVersions, requireState } from "@/lib/simulator/answers/queries";
import { loadSettings } from "@/lib/platform/settings";
import { chosenCars, newestCore } from "@/lib/labels/head-units";
import type { MatrixQuery } from "@/lib/simulator/schema";

/**
 * What one version of an app asks for and gets in an environment, or would get if it were served (`releases.md` L15).
 *
 * @throws AppError 404 for an unknown app or a version of another one, 409 for a version that no entry can be made from, 503
 *   while no policy is in service; DatabaseUnavailable
 */
export async function loadMatrix({
  app: uuid,
  version: id,
  environment,
  head_unit: core = newestCore,
}: MatrixQuery): Promise<MatrixAnswer> {
  const view = askedAs(await requireState(environment), core);
  const app = matchApp(view.snapshot.apps, uuid, true);
  const facts = (await loadFacts([uuid]))(uuid);
  const served = app === undefined ? null : grantedVersion(app, environment);
  const wanted = id ?? served?.id ?? facts?.versions[0]?.id;
  const outline = facts?.versions.find((version) => version.id === wanted);
  if (app === undefined || facts === null || outline === undefined) {
    throw new AppError("notFound", id === undefined ? "No app has this uuid" : "This app has no version with this id");
  }
  const isServed = served !== null && served.id === outline.id;
  const [version] = isServed ? [entryVersion(served)] : await loadVersions([outline.id]);
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
