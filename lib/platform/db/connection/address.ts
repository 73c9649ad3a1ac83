import { onMain, whenMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";
import { processGlobal } from "@/lib/platform/process-globals";

const embedded = processGlobal<{ pid: number | undefined }>("embedded-database", () => ({ pid: undefined }));

export async function findDatabaseAddress({ mongodbUri }: Pick<Settings, "mongodbUri">): Promise<string> {
  if (mongodbUri !== null) return mongodbUri;
  onMain("database", ({ pid }) => {
    embedded.pid = pid;
  });
  return (await whenMain("database")).address;
}

export function embeddedDatabasePid(): number | undefined {
  return embedded.pid;
}
