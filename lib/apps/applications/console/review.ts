import "server-only";
import { loadApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { type ReviewJson, reviewedMembers } from "@/lib/apps/applications/console/effect-schema";
import { listRequests } from "@/lib/apps/applications/console/version-changes";
import { AppError } from "@/lib/platform/errors";
import type { Asked } from "@/lib/policy/effect/rights-by-area";
import { policySnapshot } from "@/lib/policy/status";
import { pickMembers } from "@/lib/vocabulary/members";
import { mainLanguage } from "@/lib/vocabulary/terms";

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
function describePrompt({ group, prompt }: Asked, appName: string): ReviewJson["prompts"][number] {
  const message = policySnapshot()?.messages.production.find(({ category }) => category === prompt);
  const texts = message?.languages.find(({ languageId }) => languageId === mainLanguage) ?? message?.languages.at(-1);
  const lines = [texts?.line1, texts?.line2].filter(Boolean).join(" ");
  const fill = (text: string) => text.replaceAll("%appName%", () => appName);
  return { group, title: fill(texts?.label || prompt), text: fill(texts?.textBody || lines || texts?.tts || "") };
}
