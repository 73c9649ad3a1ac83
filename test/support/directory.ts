import type { WriteContext } from "@/lib/platform/db/transaction";
import { processApplications, type ProcessOptions } from "@/lib/apps/directory/apps/process-applications";
import { DirectoryReading } from "@/lib/apps/directory/client/reading";
import { aDirectoryApplication } from "@/test/support/directory-records";

export const directoryContext: WriteContext = { actor: "directory", route: "test", requestId: null };

export const plainProcessing = {
  settings: { autoApproveAllApps: false, encryptionRequired: false },
  handleBundle: () => Promise.reject(new Error("no bundle was expected")),
} satisfies Pick<ProcessOptions, "settings" | "handleBundle">;

export async function processNow(records: readonly unknown[], options: Partial<ProcessOptions> = {}) {
  const reading = await DirectoryReading.begin();
  return processApplications(directoryContext, records, { ...plainProcessing, reading, ...options });
}

export function aRecord(uuid: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  return aDirectoryApplication({ uuid, short_uuid: null, ...members });
}

export async function storeRecord(record: Record<string, unknown>): Promise<number> {
  const [outcome] = await processNow([record]);
  if (outcome?.kind !== "stored") throw new Error(`the record was not stored: ${outcome?.kind}`);
  return outcome.id;
}
