import "server-only";
import { recordAuditEvent } from "@/lib/audit/commands";
import { findFingerprint } from "@/lib/certificates/worker/key-pair";
import { type WriteContext } from "@/lib/db/transaction";

/**
 * Records that an administrator gets a stored private key, before it is handed out.
 *
 * @param target whose key, e.g. `app:<uuid>`
 * @param privateKey PEM
 * @throws DatabaseUnavailable: the key is not to be handed out then
 */
export async function recordKeyRead(writer: WriteContext, target: string, privateKey: string): Promise<void> {
  const after = { key_fingerprint: findFingerprint(privateKey) };
  await recordAuditEvent(writer, { action: "private-key.read", target, after });
}
