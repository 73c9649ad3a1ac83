import { X509Certificate } from "node:crypto";
import type { SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, type ReviewCase } from "@/lib/gate/checks/review-case";

const item = { family: "module_config", key: "" } as const;

/** Half a pair of certificate and private key, which no table would hold, and a certificate that has expired (rule L6). */
export function checkCertificate({ contents, now }: ReviewCase): ReleaseCheckJson[] {
  return contents.moduleConfigs.flatMap(({ certificate, privateKey }) => {
    const [hasCertificate, hasKey] = [Boolean(certificate), Boolean(privateKey)];
    if (hasCertificate !== hasKey) {
      const [has, lacks] = hasKey ? ["a private key", "certificate"] : ["a certificate", "private key"];
      const message = `The module config has ${has} and no ${lacks}; vehicles would get neither`;
      return [aCheck("block", "half a certificate pair", item, message)];
    }
    if (!isExpired(certificate, now)) return [];
    return [aCheck("block", "certificate expired", item, "The certificate has expired")];
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
