import { findVersionChanges } from "@/lib/apps/applications/console/version-changes";
import type { ApplicationDetail, DetailVersion } from "@/lib/apps/applications/console/detail-queries";
import { findBaseline, findLiveVersions } from "@/lib/apps/applications/versions";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { anApplicationJson } from "@/test/support/application-json";

/** Versions 39, 40, … of these statuses; `earlier`: differences of the version it is compared with. */
export function anApplicationDetail(
  statuses: readonly ApprovalStatus[],
  partial: Partial<ApplicationJson> = {},
  earlier: Partial<ApplicationJson> = {},
): ApplicationDetail {
  const versions = statuses
    .map((approvalStatus, index): DetailVersion => {
      const id = 42 - statuses.length + index;
      const names = { versionId: 900 + id, developerVersion: `${index + 1}.0`, label: `v${index + 1}.0` };
      return { id, ...names, approvalStatus, receivedAt: "2026-02-11T16:20:05.000Z" };
    })
    .toReversed();
  const [present] = versions;
  if (present === undefined) throw new Error("an app has at least one version");
  const { id, versionId, developerVersion, approvalStatus } = present;
  const app = anApplicationJson({
    id,
    version_id: versionId,
    developer_version: developerVersion,
    approval_status: approvalStatus,
    ...partial,
  });
  const { production, staging } = findLiveVersions(versions, app.is_blacklisted);
  const baseline = findBaseline(versions, id);
  return {
    app,
    state: app.is_blacklisted ? "BLOCKED" : app.approval_status,
    versions,
    production: production?.id ?? null,
    staging: staging?.id ?? null,
    acceptedAt: production === null ? null : "2026-05-12T09:00:00.000Z",
    baseline: baseline && {
      id: baseline.id,
      changes: findVersionChanges(anApplicationJson({ ...partial, ...earlier, id: baseline.id }), app),
    },
    groups: [],
    cuts: [],
    holds: [],
    granted: [],
    effects: {},
  };
}
