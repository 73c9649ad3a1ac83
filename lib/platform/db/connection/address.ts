import { onMain, whenMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";
import { processGlobal } from "@/lib/platform/process-globals";

const embedded = processGlobal<{ pid: number | undefined }>("embedded-database", () => ({ pid: undefined }));

/** The connection string from the settings, or that of the embedded database once `main` announces it. */
export async function findDatabaseAddress({ mongodbUri }: Pick<Settings, "mongodbUri">): Promise<string> {
  if (mongodbUri !== null) return mongodbUri;
  onMain("database", ({ pid }) => {
    embedded.pid = pid;
  });
  return (await whenMain("database")).address;
}

/** Process id of the embedded database, if known. */
export function embeddedDatabasePid(): number | undefined {
  return embedded.pid;
}
