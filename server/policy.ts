/** The command line (`exchange.md` X4), called by `bin/open-policy.mjs`. Not part of a running server. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { joinServer, startServer } from "@/embedded/server";
import { createWaiter } from "@/lib/exchange/cli/verifying";
import { runCommandLine } from "@/lib/exchange/cli/program";
import { loadCommandSettings, readSettingsFile } from "@/lib/platform/settings";

const root = path.resolve(fileURLToPath(new URL("..", import.meta.url)));

export function runPolicy(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return runCommandLine(args, {
    environment,
    terminal: {
      write: (text) => void process.stdout.write(text),
      note: (text) => void process.stderr.write(text),
      isWatched: process.stderr.isTTY,
    },
    settings: () => loadCommandSettings(root),
    readSettings: readSettingsFile,
    start: (dataDir) => startServer({ dataDir, report: () => undefined }),
    join: (dataDir) => joinServer({ dataDir, report: () => undefined }),
    root,
    now: () => new Date(),
    waiter: () => createWaiter(),
  });
}
