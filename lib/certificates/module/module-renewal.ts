import "server-only";
import { describeCertificate } from "@/lib/certificates/describe";
import type { GenerationSettings } from "@/lib/certificates/generation";
import { openPrivateKey, sealPrivateKey, SealedKeyError } from "@/lib/certificates/key-at-rest";
import { generateRsaKey } from "@/lib/certificates/keys";
import { describeIssued } from "@/lib/certificates/audit";
import { readPrivateKey } from "@/lib/certificates/worker/key-pair";
import { makeCertificate } from "@/lib/certificates/making";
import type { IssuedCertificate } from "@/lib/certificates/worker/issue";
import { isRenewalDue } from "@/lib/certificates/renewal-rules";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import type { RecordStatus } from "@/lib/vocabulary/terms";
import { ModuleConfigModel } from "@/models/module-config";

const maxAttempts = 3;

interface CertifiedConfig {
  readonly _id: number;
  readonly certificate: string | null;
  readonly privateKey: string | null;
  readonly expirationTs: Date | null;
}

/** `directory.md` 9.3. The only change a stored record ever undergoes. False: not due, or no such record. */
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

/** For an unreadable certificate, only the stored end date counts. */
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

/** With the key of the record, or a new one if there is none or it is unreadable. */
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
    if (!(error instanceof SealedKeyError)) throw error;
    return null;
  }
}

/** Raises the revision too, so that no table lacks it. False if the record has changed or is no longer the newest. */
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
