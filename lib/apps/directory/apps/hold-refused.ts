import "server-only";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import type { Transaction } from "@/lib/platform/db/transaction";
import { readRefusalFinder } from "@/lib/policy/checks/approval-check";
import { findFreeze, frozenSentence, isFrozen } from "@/lib/content/releases/freeze";
import { environments } from "@/lib/labels/vocabulary";

/**
 * What would be accepted without anybody looking waits instead, while publishing is frozen and if head units would refuse a
 * table for it (`directory.md` D17): it stays PENDING and says why.
 *
 * @param flags of the apps that have some, by uuid
 * @throws DatabaseUnavailable
 */
export async function holdRefused(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
  flags: ReadonlyMap<string, { readonly isAdministratorApp: boolean }>,
): Promise<readonly NewApplicationVersion[]> {
  if (!versions.some(({ approvalStatus }) => approvalStatus === "ACCEPTED")) return versions;
  const freeze = await findFreeze(tx.session);
  if (freeze !== null && isFrozen(freeze, tx.now)) {
    const holds = [frozenSentence(freeze)];
    return versions.map((version) => (version.approvalStatus === "ACCEPTED" ? held(version, holds) : version));
  }
  const findRefusals = await readRefusalFinder(tx);
  return versions.map((version) => {
    const { uuid, approvalStatus } = version;
    if (approvalStatus !== "ACCEPTED") return version;
    const app = { uuid, isAdministratorApp: flags.get(uuid)?.isAdministratorApp ?? false };
    // Stored documents have an id, which no entry depends on.
    const document = { ...version, _id: 1 };
    const findings = environments.flatMap((environment) => findRefusals(app, document, environment));
    if (findings.length === 0) return version;
    const holds = [...new Set(findings.map(({ path, message }) => `${message} (${path})`))];
    return held(version, holds);
  });
}

const held = (version: NewApplicationVersion, holds: readonly string[]): NewApplicationVersion => ({
  ...{ ...version, approvalStatus: "PENDING", encryptionRequired: false },
  holds: [...holds],
});
