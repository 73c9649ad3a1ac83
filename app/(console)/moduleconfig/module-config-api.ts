import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import type { RecordStore } from "@/app/_records/family";
import { followStored } from "@/app/_records/follow-stored";
import { get } from "@/lib/platform/http/client";
import type { WireModuleCertificate, WireModuleConfig } from "@/lib/content/module-config/wire";
import type { Environment } from "@/lib/labels/vocabulary";
import { draftName, type Editable, toBody, toEditable } from "./editable";

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

export const moduleStore: RecordStore<Editable> = {
  api: "/api/v1/module",
  draftPrefix: "module-config",
  nameOf: () => "the module config",
  toBody,
  fromCurrent: (current) => toEditable(current as WireModuleConfig),
  read: async () => {
    const { id, value } = await readConfig("staging");
    return { id, form: value, isDeleted: false };
  },
};

/** Lets what is being edited go on from the newest record, after the reader has stored one with the same settings. */
export const followNewest = () => followStored(moduleStore, [draftName]);
