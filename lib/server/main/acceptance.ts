import { log } from "@/lib/platform/log";
import { findSavedOrigin } from "@/lib/policy/saved/snapshot-file";
import { setForChildren } from "@/lib/platform/settings";
import { formatGivenUp } from "@/lib/platform/settings/given-up-policy";

/** Said at a start (`processes.md` N15b). */
const flag = "--accept-empty-database";

/** With the flag, has the other processes give up the policy now on disk: the setting they get fits no later one. */
export async function passOnAcceptance(args: readonly string[], dataDir: string): Promise<void> {
  if (!args.includes(flag)) return;
  const saved = await findSavedOrigin(dataDir);
  if (saved === null) log.info(`${flag}: no policy is kept on disk, so there is nothing to give up`);
  else setForChildren("ACCEPT_EMPTY_DATABASE", formatGivenUp(saved));
}
