import "server-only";
import type { OpenedContainer } from "@/lib/certificates/worker/pkcs12";
import { certificateWorker, WorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { AppCertificateModel } from "@/models/app-certificate";
import { type CertificateState, loadCertificateState } from "@/lib/certificates/generation";
import { recordKeyRead } from "@/lib/certificates/audit";
import type { WriteContext } from "@/lib/platform/db/transaction";

/** Unencrypted PEM, only for administrators (`api.md` 3.1). Null while generation is off, or if none opens (logged). */
async function findAppBundle(uuid: string): Promise<OpenedContainer | null> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return null;
  const stored = await AppCertificateModel.findOne({ _id: uuid }, { container: 1 }).lean();
  if (stored === null) return null;
  const { passphrase } = certificateGeneration;
  try {
    return await certificateWorker().run("open", { container: stored.container, passphrase });
  } catch (error) {
    if (!(error instanceof WorkerTaskError)) throw error;
    log.warn({ app: uuid, err: error }, "the stored certificate of an app does not open");
    return null;
  }
}

/** Throws DatabaseUnavailable. */
export function loadAppCertificateState(uuid: string): Promise<CertificateState> {
  return loadCertificateState(async () => (await findAppBundle(uuid))?.certificate ?? null);
}

/** For a request for one app (`api.md` 3.1). Several records, or one without a usable bundle, stay unchanged. */
export async function withPrivateMaterial<App extends { readonly uuid: string }>(
  applications: readonly App[],
  writer: WriteContext,
): Promise<readonly App[]> {
  const [application, ...others] = applications;
  if (application === undefined || others.length > 0) return applications;
  const bundle = await findAppBundle(application.uuid);
  if (bundle === null) return applications;
  await recordKeyRead(writer, `app:${application.uuid}`, bundle.privateKey);
  return [{ ...application, certificate: bundle.certificate, private_key: bundle.privateKey }];
}
