import type { AppReasonsJson, GroupReasonJson, SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { labelOf, type EntryDecision } from "@/lib/policy/why/decision";
import { explainFixed, explainGroups, type GrantedGroup } from "@/lib/policy/why/group-causes";
import type { SimulatorView } from "@/lib/policy/why/view";
import { entryOf } from "@/lib/policy/why/requirements";
import { listWithheld } from "@/lib/policy/why/why";
import { olderRpcs } from "@/lib/policy/table/older-cars";
import { oldestCore } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";

function groupsOf(view: SimulatorView, { outcome, app, version }: EntryDecision): GrantedGroup[] {
  if (outcome === "null") return [];
  return app === null || version === null ? explainFixed(view, "default") : explainGroups(view, app, version);
}

/** The deciding rule, the groups with their causes, and what the app requests but does not get (`releases.md` L15). */
export function explainDecision(view: SimulatorView, decision: EntryDecision): AppReasonsJson {
  const { id, rule, outcome, sentence, version } = decision;
  const groups = groupsOf(view, decision);
  return {
    id,
    decided_by: rule,
    outcome,
    sentence,
    app: toAppJson(decision),
    groups: groups.map(toGroupReason),
    withheld: version === null ? [] : listWithheld(view, version, groups, entryOf(view, decision)),
  };
}

/** An unknown uuid may be blocked; it has no stored app, so no version. */
function toAppJson({ app, facts, version }: EntryDecision): AppReasonsJson["app"] {
  const versionId = version?.id ?? facts?.versions[0]?.id;
  if (app === null || versionId === undefined) return null;
  return {
    uuid: app.uuid,
    name: facts?.name ?? null,
    version_id: versionId,
    version: facts === null ? null : labelOf(facts, versionId),
  };
}

export function toGroupReason({ group, causes }: GrantedGroup): GroupReasonJson {
  return {
    group: group.name,
    because: causes[0]?.because ?? "default group",
    permissions: distinct(causes.flatMap(({ permission }) => permission ?? [])),
    causes: [...causes],
    consent_prompt: group.userConsentPrompt,
  };
}

/** The RPCs that the groups of these names allow in the table for this head unit. */
export function listAllowed(view: SimulatorView, names: Iterable<string>): SimulationAnswer["groups"] {
  return Array.from(names, (group) => {
    const listed = view.groups.get(group)?.allowed ?? [];
    const allowed = view.asked.version === oldestCore ? olderRpcs(listed) : listed;
    const rpcs = allowed.map(({ name, levels, parameters }) => ({
      name,
      levels: [...levels],
      parameters: [...(parameters ?? [])],
      is_restricted: parameters !== null,
    }));
    return { group, rpcs };
  });
}
