import { type KeyFacts, type CertificateFacts } from "@/lib/certificates/worker/key-pair";
import { type AuditValue } from "@/lib/db/audit";

/** What an audit event tells of a certificate: never the key, only the fingerprint of its public half. */
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
