import "server-only";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { recordKeyRead } from "@/lib/certificates/audit";
import { findAppBundle } from "@/lib/certificates/bundle";
import type { WriteContext } from "@/lib/platform/db/transaction";

/**
 * Adds certificate and private key to the record of a request that selects one app (`api.md` 3.1). Several records, or
 * one whose app has no usable bundle, stay as they are.
 */
export async function withPrivateMaterial(
  applications: readonly ApplicationJson[],
  writer: WriteContext,
): Promise<readonly ApplicationJson[]> {
  const [application, ...others] = applications;
  if (application === undefined || others.length > 0) return applications;
  const bundle = await findAppBundle(application.uuid);
  if (bundle === null) return applications;
  await recordKeyRead(writer, `app:${application.uuid}`, bundle.privateKey);
  return [{ ...application, certificate: bundle.certificate, private_key: bundle.privateKey }];
}
