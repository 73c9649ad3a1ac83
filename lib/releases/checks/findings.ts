"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { findTableFindings, subtractFindings } from "@/lib/policy/checks/promotion-check";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { isPromptless } from "@/lib/policy/checks/table-faults";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import { hasText } from "@/lib/vocabulary/terms";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { aCheck, anAppCheck, causeFinder, type ReviewCase } from "@/lib/releases/checks/review-case";
import type { AppFinding } from "@/lib/releases/review/app-comparison";
import { itemsOf } from "@/lib/releases/review/production";
import { type ItemKey, itemOfTablePart } from "@/lib/vocabulary/release-items";
import { findChangeSurprises } from "@/lib/policy/effect/effect-summary";
import { compareGroups, type GroupChange } from "@/lib/policy/effect/group-effect";
import { vehicleDataNames } from "@/lib/policy/permits/car";
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
import { fixedEntries, fixedEntryNames } from "@/lib/policy/table/app-policies";
import { listedGroups, parameterRules } from "@/lib/policy/table/functional-groupings";

/** Checks each snapshot once, however many sets of items are tried against it. */
const findingsOf = oncePer((snapshot: PolicySnapshot) => findTableFindings(snapshot, "production"));

/** New findings of either build (`releases.md` L6, G9); `checkPrompts` and `warnOfSilentPrompts` report prompts. */
export function checkFindings(review: ReviewCase, ofApps: readonly AppFinding[]): ReleaseCheckJson[] {
  const { before, after } = review;
  const shared = subtractFindings(findingsOf(after), findingsOf(before));
  return [
    ...shared
      .filter((finding) => !isPromptless(finding) && finding.rule !== silentPromptRule)
      .map((finding) => {
        const level = finding.rule === blankLanguageRule ? "warning" : "finding";
        return aCheck(level, finding.rule, findItem(finding, review), finding.message);
      }),
    ...ofApps.map(({ rule, app, message }) => anAppCheck("finding", rule, app, message)),
  ];
}

/** Languages in which drivers would newly be asked with an empty text, also those that no message has any more. */
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

/** The item that makes a finding: the one of its place in the table if it is published, else by leaving out items. */
function findItem(finding: HeadUnitFinding, review: ReviewCase): ItemKey {
  const { after, contents } = review;
  const [section, ...steps] = readPath(finding.path);
  const items = itemsOf(contents);
  const place = itemOfTablePart(section, steps) ?? itemOfVehicleData(section, steps, after);
  const own = items.find((item) => item.family === place?.family && item.key === place.key);
  if (own !== undefined) return own;
  const find = section === "app_policies" ? findingsOfFixedEntries : findingsOf;
  return causeFinder(review)((state) => subtractFindings([finding], find(state)).length === 0);
}

/** The same findings about the fixed entries, at a fraction of the cost: nothing but their groups matters to them. */
const findingsOfFixedEntries = oncePer((state: PolicySnapshot) => {
  const production = state.groups.production.filter((group) =>
    fixedEntryNames.some((name) => fixedEntries[name](group)),
  );
  const prompts = new Set(production.map(({ userConsentPrompt }) => userConsentPrompt));
  const messages = state.messages.production.filter(({ category }) => prompts.has(category));
  const views = { groups: { staging: [], production }, messages: { staging: [], production: messages } };
  return findTableFindings({ ...state, ...views, vehicleData: { staging: [], production: [] } }, "production");
});

function itemOfVehicleData(
  section: string | undefined,
  steps: readonly string[],
  after: PolicySnapshot,
): ItemKey | null {
  if (section !== "vehicle_data" || steps[1] === undefined) return null;
  const name = [...listSchemaItems(after, "production", () => undefined).keys()][Number(steps[1])];
  return name === undefined ? null : { family: "vehicle_data", key: name };
}

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
  const found = await find(after, before);
  const earlier = found.length === 0 ? [] : await find(before, after);
  const known = new Map(earlier.map((one) => [identityOf(one), one.appCount]));
  const added = found.filter((one) => one.appCount > (known.get(identityOf(one)) ?? 0));
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
    items: vehicleDataNames(state, "production"),
    settings: carSettings(state, "production"),
    builds,
  };
}
