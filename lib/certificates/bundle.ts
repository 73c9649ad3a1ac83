import "server-only";
import type { OpenedContainer } from "@/lib/certificates/worker/pkcs12";
import { certificateWorker, isWorkerTaskError } from "@/lib/certificates/worker/worker-client";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { AppCertificateModel } from "@/models/app-certificate";

/**
 * Finds certificate and private key of an app, as unencrypted PEM, for administrators only (`api.md` 3.1).
 *
 * @returns null while certificate generation is off, when no container is stored, and when it does not open (logged)
 */
export async function findAppBundle(uuid: string): Promise<OpenedContainer | null> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return null;
  const stored = await AppCertificateModel.findOne({ _id: uuid }, { container: 1 }).lean();
  if (stored === null) return null;
  const { passphrase } = certificateGeneration;
  try {
    return await certificateWorker().run("open", { container: stored.container, passphrase });
  } catch (error) {
    if (!isWorkerTaskError(error)) throw error;
    log.warn({ app: uuid, err: error }, "the stored certificate of an app does not open");
    return null;
  }
}
