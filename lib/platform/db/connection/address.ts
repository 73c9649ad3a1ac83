import { onMain, whenMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";
import { processGlobal } from "@/lib/platform/process-globals";

const embedded = processGlobal<{ pid: number | undefined }>("embedded-database", () => ({ pid: undefined }));

/** The connection string of the settings, or of the embedded database as soon as `main` announces it. */
export async function findDatabaseAddress({ mongodbUri }: Pick<Settings, "mongodbUri">): Promise<string> {
  if (mongodbUri !== null) return mongodbUri;
  onMain("database", ({ pid }) => {
    embedded.pid = pid;
  });
  return (await whenMain("database")).address;
}

/** The process of the embedded database, as far as it is known. */
export function embeddedDatabasePid(): number | undefined {
  return embedded.pid;
}
