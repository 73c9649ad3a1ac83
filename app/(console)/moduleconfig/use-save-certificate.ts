"use client";
import { useState } from "react";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { findDraft, saveDraft } from "@/app/_components/form/draft-store";
import { useAction } from "@/app/_components/use-action";
import { get } from "@/lib/http/client";
import type { WireModuleConfig } from "@/lib/module-config/wire";
import { draftKey, toEditable } from "./editable";

/** Stores a certificate with the settings as they are stored now. What somebody is editing meanwhile goes on from it. */
export function useSaveCertificate() {
  const save = useAction("/api/v1/module");
  const [problem, setProblem] = useState<unknown>(null);

  async function store({ certificate, privateKey }: CertificatePair): Promise<boolean> {
    setProblem(null);
    try {
      const stored = await loadStaging();
      const pair = certificate === "" ? {} : { certificate, private_key: privateKey };
      await save.run({ ...toEditable(stored), ...pair, base_id: stored.id });
      const draft = findDraft(draftKey);
      if (draft?.baseId === stored.id) {
        const { id, ...rest } = await loadStaging();
        saveDraft(draftKey, { ...draft, baseId: id, base: toEditable({ id, ...rest }) });
      }
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    }
  }

  return { store, isStoring: save.isRunning, problem };
}

async function loadStaging(): Promise<WireModuleConfig> {
  const { module_configs } = (await get("/api/v1/module?environment=staging")) as {
    readonly module_configs: readonly (WireModuleConfig & { certificate?: unknown; private_key?: unknown })[];
  };
  const [stored] = module_configs;
  if (stored === undefined) throw new Error("No module config is stored.");
  const { certificate: _certificate, private_key: _key, ...rest } = stored;
  return rest;
}
