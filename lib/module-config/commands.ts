import "server-only";
import { sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { readKeyPair } from "@/lib/certificates/key-pair";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { findModuleConfig } from "@/lib/module-config/queries";
import {
  buildModuleConfigContent,
  decideCertificate,
  expiredSentence,
  hasExpired,
  type ModuleConfigContent,
  noCertificate,
} from "@/lib/module-config/rules";
import { type ModuleConfigInput } from "@/lib/module-config/schema";
import { buildWireModuleConfig, buildWireSubmission } from "@/lib/module-config/wire";
import { type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { findNewFaults, requireNoNewFaults } from "@/lib/policy/promotion-check";
import { type RecordStatus } from "@/lib/policy/vocabulary";
import { loadSettings } from "@/lib/settings";
import { ModuleConfigModel } from "@/models/module-config";

const target = "module_config";

/**
 * Saves a module config as a new STAGING record (`api.md` 13.3).
 *
 * @returns the faults that it brings to the staging table
 * @throws AppError 400 for rows 12 to 15 of 13.3; 409 with `data.current` and `data.submitted`, both without the
 *   private key, when `base_id` is not the newest record
 */
export async function saveModuleConfig(
  input: ModuleConfigInput,
  writer: WriteContext,
): Promise<readonly HeadUnitFinding[]> {
  const submitted = input.keep_certificate ? null : requireCertificate(input);
  return inTransaction(writer, async (tx) => {
    const newest = await findModuleConfig("staging", tx.session);
    const content = buildModuleConfigContent(input, submitted ?? newest ?? noCertificate);
    if (input.base_id !== null && input.base_id !== (newest?.id ?? 0)) {
      const current = newest === null ? null : buildWireModuleConfig(newest);
      throw new AppError("conflict", "The module config was changed meanwhile; base_id is not its newest record", {
        data: { current, submitted: buildWireSubmission(content) },
      });
    }
    const { findings } = await findNewFaults(tx, "staging", async () => {
      const id = await insertModuleConfig(tx, content, "STAGING");
      tx.record({ action: "module.save", target, before: newest?.id ?? null, after: id });
    });
    return findings;
  });
}

/**
 * Publishes the newest record, certificate and key included (`api.md` 13.4). Does nothing when it is published already.
 *
 * @param options.force publishes whatever is found
 * @throws AppError 400 when its certificate has expired; 409 with `data.findings` when the production table would have new
 *   faults afterwards
 */
export async function promoteModuleConfig(options: { readonly force: boolean }, writer: WriteContext): Promise<void> {
  await inTransaction(writer, async (tx) => {
    const newest = await findModuleConfig("staging", tx.session);
    if (newest?.status !== "STAGING") {
      tx.keepRevision();
      return;
    }
    if (hasExpired(newest, tx.now)) throw new AppError("invalid", expiredSentence);
    const { id, status: _status, ...content } = newest;
    await requireNoNewFaults(tx, options.force, async () => {
      const copyId = await insertModuleConfig(tx, content, "PRODUCTION");
      tx.record({ action: "module.promote", target, before: id, after: copyId });
    });
  });
}

function requireCertificate(input: ModuleConfigInput) {
  if (!loadSettings().certificateGeneration.enabled) return noCertificate;
  const decided = decideCertificate(input, readKeyPair, new Date());
  if ("refusal" in decided) throw new AppError("invalid", decided.refusal);
  return decided;
}

async function insertModuleConfig(tx: Transaction, content: ModuleConfigContent, status: RecordStatus) {
  const id = await tx.nextId("module_configs");
  const times = { createdAt: tx.now, updatedAt: tx.now };
  await ModuleConfigModel.insertMany(
    [{ ...content, privateKey: sealPrivateKey(content.privateKey), ...times, _id: id, status }],
    {
      session: tx.session,
      timestamps: false,
    },
  );
  return id;
}
