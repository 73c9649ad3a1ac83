import { findChangeSurprises } from "@/lib/policy/effect/effect-summary";
import { compareGroups, type GroupChange } from "@/lib/policy/effect/group-effect";
import { itemNames } from "@/lib/policy/permits/car";
import {
  describePermitFinding,
  permitFindingRules,
  type CarPark,
  type CountedFinding,
} from "@/lib/policy/permits/permit-findings";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { parameterRules } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, type ReviewCase } from "@/lib/gate/checks/review-case";

/** Of many, those that concern most apps. */
const maxTold = 50;

/**
 * What cars make of published groups that nobody means, and do not today, or for fewer apps (C1 to C3, C15 of
 * `head-unit-rules.md`).
 *
 * @param pace awaited after each app
 */
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
