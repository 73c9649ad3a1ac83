import "server-only";
import { readKeyPair } from "@/lib/certificates/worker/key-pair";
import { type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { moduleConfigFamily } from "@/lib/module-config/family";
import { findModuleConfig } from "@/lib/module-config/queries";
import { buildModuleConfigContent, decideCertificate, noCertificate } from "@/lib/module-config/rules";
import { type ModuleConfigInput } from "@/lib/module-config/schema";
import { buildWireSubmission } from "@/lib/module-config/wire";
import { type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { promoteRecords, saveRecords } from "@/lib/records/commands";
import { loadSettings } from "@/lib/settings";

/**
 * Saves a module config (`api.md` 13.3).
 *
 * @returns the faults that it brings to the staging table
 * @throws AppError as `saveRecords`, both configs without the private key; 400 for rows 12 to 15 of 13.3
 */
export async function saveModuleConfig(
  input: ModuleConfigInput,
  writer: WriteContext,
): Promise<readonly HeadUnitFinding[]> {
  const submitted = input.keep_certificate ? null : requireCertificate(input);
  const edit = async ({ session }: Transaction) => {
    const stored = submitted ?? (await findModuleConfig("staging", session)) ?? noCertificate;
    const content = buildModuleConfigContent(input, stored);
    return [{ content, baseId: input.base_id, submitted: () => Promise.resolve(buildWireSubmission(content)) }];
  };
  return (await saveRecords(moduleConfigFamily, edit, writer)).findings;
}

/**
 * Publishes the newest record, certificate and key included (`api.md` 13.4).
 *
 * @throws AppError as `promoteRecords`; 400 when its certificate has expired
 */
export async function promoteModuleConfig(options: { readonly force: boolean }, writer: WriteContext): Promise<void> {
  await promoteRecords(moduleConfigFamily, options, writer);
}

function requireCertificate(input: ModuleConfigInput) {
  if (!loadSettings().certificateGeneration.enabled) return noCertificate;
  const decided = decideCertificate(input, readKeyPair, new Date());
  if ("refusal" in decided) throw new AppError("invalid", decided.refusal);
  return decided;
}
