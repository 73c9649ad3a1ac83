import type { PolicyOptions } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { checkCertificate } from "@/lib/gate/checks/certificate";
import { checkPrompts, checkVehicleData } from "@/lib/gate/checks/missing-parts";
import { checkFindings } from "@/lib/gate/checks/new-findings";
import type { ReviewCase } from "@/lib/gate/checks/review-case";
import { warnOfDefaultGroups, warnOfNoEffect, warnOfOlderWording } from "@/lib/gate/checks/warnings";
import type { AppFinding } from "@/lib/gate/review/app-comparison";

/**
 * Checks a set of items as if it were published (rule L6): what refuses it first, then what head units would object to, then
 * what one should know.
 *
 * @param ofApps what head units would newly object to in the entries of apps, from `compareApps`
 * @param ofPermits what cars make of the groups, from `checkPermits`
 */
export function runChecks(
  review: ReviewCase,
  ofApps: readonly AppFinding[],
  ofPermits: readonly ReleaseCheckJson[],
  options: Pick<PolicyOptions, "publicBaseUrl">,
): ReleaseCheckJson[] {
  return [
    ...checkPrompts(review),
    ...checkVehicleData(review),
    ...checkCertificate(review),
    ...checkFindings(review, ofApps),
    ...ofPermits,
    ...warnOfDefaultGroups(review),
    ...warnOfOlderWording(review),
    ...warnOfNoEffect(review, options),
  ];
}
