"one per process";

import { onMain, whenMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

let embeddedPid: number | undefined;

export async function findDatabaseAddress({ mongodbUri }: Pick<Settings, "mongodbUri">): Promise<string> {
  if (mongodbUri !== null) return mongodbUri;
  onMain("database", ({ pid }) => {
    embeddedPid = pid;
  });
  return (await whenMain("database")).address;
}

export function embeddedDatabasePid(): number | undefined {
  return embeddedPid;
}
