"use client";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { findDraft } from "@/app/_components/form/draft-store";
import { rebaseDraft } from "@/app/_components/form/rebase-draft";
import { get } from "@/lib/http/client";
import type { WireModuleCertificate, WireModuleConfig } from "@/lib/module-config/wire";
import type { Environment } from "@/lib/words/vocabulary";
import { draftKey, type Editable, toEditable } from "./editable";

/** The stored record of a view. */
interface StoredConfig {
  readonly id: number | null;
  readonly value: Editable;
  /** Empty texts where there is none. */
  readonly pair: CertificatePair;
}

/** Reads the stored record of a view. @throws ApiError */
export async function readConfig(environment: Environment): Promise<StoredConfig> {
  const { module_configs } = (await get(`/api/v1/module?environment=${environment}`)) as {
    readonly module_configs: readonly (WireModuleConfig & Partial<WireModuleCertificate>)[];
  };
  const [stored] = module_configs;
  if (stored === undefined) throw new Error("No module config is stored.");
  const pair = { certificate: stored.certificate ?? "", privateKey: stored.private_key ?? "" };
  return { id: stored.id, value: toEditable(stored), pair };
}

/**
 * Lets what is being edited go on from the newest record, after the reader has stored one with the same settings.
 * Never fails: the act itself is done, and the worst that can follow is a question at the next save.
 */
export async function followNewest(): Promise<void> {
  // The answer would hold the private key, too: not for nothing.
  if (findDraft(draftKey) === null) return;
  try {
    rebaseDraft(draftKey, await readConfig("staging"));
  } catch {
    // See above.
  }
}
