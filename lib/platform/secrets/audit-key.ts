import { loadSettings, type Settings } from "@/lib/platform/settings";
import { loadOwnSecret } from "@/lib/platform/secrets/own-secret";
import { processGlobal } from "@/lib/platform/process-globals";

const keys = processGlobal<{ ofCommand: string | null }>("audit-key", () => ({ ofCommand: null }));

/** The key of the audit trail (`gate.md` W11): `AUDIT_KEY`, or a generated one. Never in the database. */
export function loadAuditKey(): string {
  return keys.ofCommand ?? findAuditKey(loadSettings());
}

/** Does something with the key of a command's settings, which are not those of a server. Throws as `loadOwnSecret`. */
export async function withAuditKey<T>(
  settings: Pick<Settings, "auditKey" | "dataDir">,
  work: () => Promise<T>,
): Promise<T> {
  keys.ofCommand = findAuditKey(settings);
  try {
    return await work();
  } finally {
    keys.ofCommand = null;
  }
}

function findAuditKey({ auditKey, dataDir }: Pick<Settings, "auditKey" | "dataDir">): string {
  const remedy = "bring it back from a backup of the folder; with another one the trail counts as broken";
  return auditKey ?? loadOwnSecret("audit-key", dataDir, remedy);
}
