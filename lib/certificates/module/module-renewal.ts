import "server-only";
import { describeCertificate } from "@/lib/certificates/describe";
import type { GenerationSettings } from "@/lib/certificates/generation";
import { isSealedKeyError, openPrivateKey, sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { generateRsaKey } from "@/lib/certificates/keys";
import { describeIssued } from "@/lib/certificates/audit";
import { readPrivateKey } from "@/lib/certificates/worker/key-pair";
import { makeCertificate } from "@/lib/certificates/making";
import type { IssuedCertificate } from "@/lib/certificates/worker/issue";
import { isRenewalDue } from "@/lib/certificates/renewal-rules";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import type { RecordStatus } from "@/lib/labels/vocabulary";
import { ModuleConfigModel } from "@/models/module-config";

/** How often a record is looked at again because somebody changed the module config while a key was being made. */
const maxAttempts = 3;

/** What is renewed of a module config, and what must not have changed meanwhile. */
interface CertifiedConfig {
  readonly _id: number;
  readonly certificate: string | null;
  readonly privateKey: string | null;
  readonly expirationTs: Date | null;
}

/**
 * Renews the certificate of the newest module config of one status in place (`directory.md` 9.3): the only change that a
 * stored record ever sees.
 *
 * @returns whether it got a new certificate; false when it needs none, or there is no such record
 * @throws DatabaseUnavailable, WorkerTaskError
 */
export async function renewModuleCertificate(
  settings: GenerationSettings,
  status: RecordStatus,
  writer: WriteContext,
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const config = await findNewest(status);
    if (config === null || !isRenewalDue(config.expirationTs, new Date(), validFrom(config))) return false;
    const made = await makeModuleCertificate(settings, config);
    if (await saveInPlace(status, config, made, writer)) return true;
  }
  throw new Error("The module config kept changing while its certificate was being renewed");
}

/** A certificate that cannot be read is judged by its stored end alone. */
function validFrom({ certificate }: CertifiedConfig): Date | null {
  const described = certificate === null ? null : describeCertificate(certificate);
  return described === null ? null : new Date(described.validFrom);
}

async function findNewest(status: RecordStatus): Promise<CertifiedConfig | null> {
  const members = { certificate: 1, privateKey: 1, expirationTs: 1 };
  const found = await inDatabase(() => ModuleConfigModel.findOne({ status }, members).sort({ _id: -1 }).lean());
  if (found === null) return null;
  const { _id, certificate = null, privateKey = null, expirationTs = null } = found;
  return { _id, certificate, privateKey, expirationTs };
}

/** With the key of the record, else with a new one: a key that cannot be read is none. */
async function makeModuleCertificate(settings: GenerationSettings, { _id, privateKey }: CertifiedConfig) {
  if (privateKey) {
    const readable = readStoredKey(privateKey);
    if (readable !== null) {
      return { privateKey: readable, ...(await makeCertificate(settings, readable, {})) };
    }
    log.warn({ module_config: _id }, "the private key of a module config cannot be read; a new one is made");
  }
  const made = await generateRsaKey(settings.privateKeyBitsize);
  return { privateKey: made, ...(await makeCertificate(settings, made, {})) };
}

function readStoredKey(stored: string): string | null {
  try {
    const privateKey = openPrivateKey(stored);
    return privateKey !== null && readPrivateKey(privateKey) !== null ? privateKey : null;
  } catch (error) {
    if (!isSealedKeyError(error)) throw error;
    return null;
  }
}

/**
 * Writes the certificate and raises the revision with it, so that no table is ever made from less.
 *
 * @returns false when the record changed meanwhile or is no longer the newest of its status; nothing is written then
 */
async function saveInPlace(
  status: RecordStatus,
  { _id, ...seen }: CertifiedConfig,
  made: IssuedCertificate & { readonly privateKey: string },
  writer: WriteContext,
): Promise<boolean> {
  const { certificate } = made;
  const privateKey = sealPrivateKey(made.privateKey);
  const expirationTs = new Date(made.expiresAt);
  return inTransaction(writer, async (tx) => {
    const { session } = tx;
    const newest = await ModuleConfigModel.findOne({ status }, { _id: 1 }, { session }).sort({ _id: -1 }).lean();
    const set = { certificate, privateKey, expirationTs, updatedAt: tx.now };
    const isNewest = newest?._id === _id;
    const { matchedCount } = isNewest
      ? await ModuleConfigModel.updateOne({ _id, ...seen }, { $set: set }, { session, timestamps: false })
      : { matchedCount: 0 };
    if (matchedCount === 0) {
      tx.keepRevision();
      return false;
    }
    tx.record({
      action: "module.renew",
      target: "module_config",
      before: { id: _id, expiration_ts: seen.expirationTs?.toISOString() ?? null },
      after: { id: _id, expiration_ts: expirationTs.toISOString(), issued: describeIssued(made) },
    });
    return true;
  });
}
