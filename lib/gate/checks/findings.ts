import { oncePer } from "@/lib/platform/once-per";
import { findTableFindings, subtractFindings } from "@/lib/policy/checks/promotion-check";
import { isPromptless } from "@/lib/policy/checks/table-faults";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, anAppCheck, type ReviewCase } from "@/lib/gate/checks/review-case";
import type { AppFinding } from "@/lib/gate/review/app-comparison";
import { itemsOf } from "@/lib/gate/review/production";
import { type ItemKey, itemOfTablePart } from "@/lib/labels/release-items";
import { findChangeSurprises } from "@/lib/policy/effect/effect-summary";
import { compareGroups, type GroupChange } from "@/lib/policy/effect/group-effect";
import { itemNames } from "@/lib/policy/permits/car";
import {
  type CarPark,
  type CountedFinding,
  describePermitFinding,
  permitFindingRules,
} from "@/lib/policy/permits/permit-findings";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { parameterRules } from "@/lib/policy/table/functional-groupings";

/** Checks each snapshot once, however many sets of items are tried against it. */
const findingsOf = oncePer((snapshot: PolicySnapshot) => findTableFindings(snapshot, "production"));

/**
 * All problems that head units of either build would newly report (rules L6 and G9): in sections shared by all vehicles, and
 * in entries of apps that change. `checkPrompts` reports groups without their prompt.
 *
 * @param ofApps new findings in app entries
 */
export function checkFindings(review: ReviewCase, ofApps: readonly AppFinding[]): ReleaseCheckJson[] {
  const { before, after } = review;
  const shared = subtractFindings(findTableFindings(after, "production"), findingsOf(before));
  return [
    ...shared
      .filter((finding) => !isPromptless(finding))
      .map(({ rule, path, message }) => aCheck("finding", rule, findItem(path, review), message)),
    ...ofApps.map(({ rule, app, message }) => anAppCheck("finding", rule, app, message)),
  ];
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
    builds,
  };
}
