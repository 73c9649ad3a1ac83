import { X509Certificate } from "node:crypto";
import type { PolicyOptions, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { checkPrompts, checkVehicleData } from "@/lib/gate/checks/missing-parts";
import { checkFindings } from "@/lib/gate/checks/new-findings";
import { aCheck, type ReviewCase } from "@/lib/gate/checks/review-case";
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

const moduleConfig = { family: "module_config", key: "" } as const;

/** Half a pair of certificate and private key, which no table would hold, and a certificate that has expired (rule L6). */
function checkCertificate({ contents, now }: ReviewCase): ReleaseCheckJson[] {
  return contents.moduleConfigs.flatMap(({ certificate, privateKey }) => {
    const [hasCertificate, hasKey] = [Boolean(certificate), Boolean(privateKey)];
    if (hasCertificate !== hasKey) {
      const [has, lacks] = hasKey ? ["a private key", "certificate"] : ["a certificate", "private key"];
      const message = `The module config has ${has} and no ${lacks}; vehicles would get neither`;
      return [aCheck("block", "half a certificate pair", moduleConfig, message)];
    }
    if (!isExpired(certificate, now)) return [];
    return [aCheck("block", "certificate expired", moduleConfig, "The certificate has expired")];
  });
}

function isExpired(certificate: SnapshotModuleConfig["certificate"], now: number): boolean {
  if (!certificate) return false;
  try {
    return Date.parse(new X509Certificate(certificate).validTo) <= now;
  } catch {
    // A save takes none that cannot be read, and what an older server has stored is no worse for being published.
    return false;
  }
}
