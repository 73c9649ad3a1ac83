import { type KeyFacts, type CertificateFacts, findFingerprint } from "@/lib/certificates/worker/key-pair";
import type { AuditValue } from "@/lib/platform/db/audit";
import "server-only";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import type { WriteContext } from "@/lib/platform/db/transaction";

/** The data of a certificate in audit events: never the key, only the fingerprint of its public half. */
export function describeIssued({
  subject,
  serialNumber,
  days,
  expiresAt,
  keyFingerprint,
}: CertificateFacts & KeyFacts): AuditValue {
  return {
    subject,
    serial: serialNumber,
    days,
    ends: new Date(expiresAt).toISOString(),
    key_fingerprint: keyFingerprint,
  };
}

/** Call it before returning the key (PEM); it must not be returned if this throws. `target` is like `app:<uuid>`. */
export async function recordKeyRead(writer: WriteContext, target: string, privateKey: string): Promise<void> {
  const after = { key_fingerprint: findFingerprint(privateKey) };
  await recordAuditEvent(writer, { action: "private-key.read", target, after });
}
