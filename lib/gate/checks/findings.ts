import { oncePer } from "@/lib/platform/once-per";
import { findTableFindings, subtractFindings } from "@/lib/policy/checks/promotion-check";
import { isPromptless } from "@/lib/policy/checks/table-faults";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import { hasText } from "@/lib/labels/vocabulary";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, anAppCheck, type ReviewCase } from "@/lib/gate/checks/review-case";
import type { AppFinding } from "@/lib/gate/review/app-comparison";
import { itemsOf } from "@/lib/gate/review/production";
import { type ItemKey, itemOfTablePart } from "@/lib/labels/release-items";
import { findChangeSurprises } from "@/lib/policy/effect/effect-summary";
import { compareGroups, type GroupChange } from "@/lib/policy/effect/group-effect";
import { itemNames } from "@/lib/policy/permits/car";
import { carSettings } from "@/lib/policy/permits/conditions";
import {
  type CarPark,
  type CountedFinding,
  describePermitFinding,
  permitFindingRules,
} from "@/lib/policy/permits/permit-findings";
import { listApps } from "@/lib/policy/snapshot/app-index";
import {
  blankLanguageRule,
  describeSilence,
  listSilentPrompts,
  silentPromptRule,
} from "@/lib/policy/head-unit/consumer-messages";
import { listShownMessages, listUsedLanguages } from "@/lib/policy/table/consumer-messages";
import { listedGroups, parameterRules } from "@/lib/policy/table/functional-groupings";

/** Checks each snapshot once, however many sets of items are tried against it. */
const findingsOf = oncePer((snapshot: PolicySnapshot) => findTableFindings(snapshot, "production"));

/**
 * All problems that head units of either build would newly report (rules L6 and G9): in sections shared by all vehicles, and
 * in entries of apps that change. `checkPrompts` reports groups without their prompt, `warnOfSilentPrompts` prompts without
 * a text.
 *
 * @param ofApps new findings in app entries
 */
export function checkFindings(review: ReviewCase, ofApps: readonly AppFinding[]): ReleaseCheckJson[] {
  const { before, after } = review;
  const shared = subtractFindings(findTableFindings(after, "production"), findingsOf(before));
  return [
    ...shared
      .filter((finding) => !isPromptless(finding) && finding.rule !== silentPromptRule)
      .map(({ rule, path, message }) => {
        const level = rule === blankLanguageRule ? "warning" : "finding";
        return aCheck(level, rule, findItem(path, review), message);
      }),
    ...ofApps.map(({ rule, app, message }) => anAppCheck("finding", rule, app, message)),
  ];
}

/** Languages in which drivers would newly be asked with an empty text, also those that no message has any more (L6). */
export function warnOfSilentPrompts({ before, after }: ReviewCase): ReleaseCheckJson[] {
  const [old, now] = [promptsIn(before), promptsIn(after)];
  const known = listSilentPrompts(old.spoken, old.prompts);
  return [...listSilentPrompts(now.spoken, now.prompts, old.languages)].flatMap(([key, languages]) => {
    const added = languages.filter((language) => known.get(key)?.includes(language) !== true);
    if (added.length === 0) return [];
    const message = `A head unit of build mode EXTERNAL_PROPRIETARY ${describeSilence(added)}: the message ${JSON.stringify(key)} has no text there`;
    return [aCheck("warning", silentPromptRule, { family: "message", key }, message)];
  });
}

function promptsIn(snapshot: PolicySnapshot) {
  const shown = listShownMessages(snapshot.messages.production, () => undefined);
  const languagesOf = ({ languages }: (typeof shown)[number]) =>
    languages.filter(hasText).map(({ languageId }) => languageId);
  return {
    spoken: new Map(shown.map((message) => [message.category, new Set(languagesOf(message))])),
    languages: listUsedLanguages(snapshot.messages.production),
    prompts: new Set(listedGroups(snapshot, "production").flatMap((group) => group.userConsentPrompt ?? [])),
  };
}

/** The item that a path in the policy table belongs to; if several share it, one of those being published. */
function findItem(path: string, { after, contents }: ReviewCase): ItemKey {
  const [section, ...steps] = readPath(path);
  const item = section === "module_config" ? null : itemOfTablePart(section, steps);
  if (item !== null) return item;
  if (section === "vehicle_data" && steps[1] !== undefined) {
    const name = [...listSchemaItems(after, "production", () => undefined).keys()][Number(steps[1])];
    if (name !== undefined) return { family: "vehicle_data", key: name };
  }
  const items = itemsOf(contents);
  const family = section === undefined ? undefined : familyOfSection.get(section);
  return items.find((item) => item.family === family) ?? items[0] ?? { family: "module_config", key: "" };
}

const familyOfSection = new Map<string, ItemKey["family"]>([
  ["module_config", "module_config"],
  ["functional_groupings", "group"],
  ["consumer_friendly_messages", "message"],
  ["vehicle_data", "vehicle_data"],
  // Only the fixed entries: groups determine their content.
  ["app_policies", "group"],
]);

/** The steps of a finding's path, e.g. `app_policies["a.b"].groups[0]`. */
function readPath(path: string): string[] {
  return Array.from(path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g), ([, quoted, index, plain]) =>
    quoted === undefined ? (index ?? plain ?? "") : String(JSON.parse(`"${quoted}"`)),
  );
}

/** Only the findings that affect the most apps are listed. */
const maxTold = 50;

/** New effects of published groups in vehicles that nobody intends (C1 to C3, C15 of `head-unit-rules.md`). */
export async function checkPermits(
  { before, after, contents }: ReviewCase,
  cars: CarPark,
  pace: () => Promise<void>,
): Promise<ReleaseCheckJson[]> {
  const published = contents.groups.map(({ name }) => name);
  const [first] = published;
  if (first === undefined) return [];
  const find = (state: PolicySnapshot, other: PolicySnapshot) =>
    findChangeSurprises(compareGroups(changeTo(state, other, cars), published), listApps(state.apps), cars, pace);
  const known = new Map((await find(before, after)).map((one) => [identityOf(one), one.appCount]));
  const added = (await find(after, before)).filter((one) => one.appCount > (known.get(identityOf(one)) ?? 0));
  return added.slice(0, maxTold).map(({ finding, appCount }) => {
    const key = finding.groups.find((name) => published.includes(name)) ?? first;
    const message = describePermitFinding(finding, appCount);
    return aCheck("finding", permitFindingRules[finding.kind], { family: "group", key }, message);
  });
}

const identityOf = ({ finding }: CountedFinding): string => JSON.stringify({ ...finding, build: null });

function changeTo(state: PolicySnapshot, other: PolicySnapshot, { builds }: CarPark): GroupChange {
  return {
    environment: "production",
    before: other.groups.production,
    after: state.groups.production,
    permissions: state.permissions,
    rules: parameterRules(state),
    items: itemNames(state, "production"),
    settings: carSettings(state, "production"),
    builds,
  };
}
