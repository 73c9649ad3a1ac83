import { joinServer, startServer } from "@/embedded/server";
import { runCommandLine } from "@/lib/exchange/cli/program";
import { readSettingsFile } from "@/lib/platform/settings";
import { readSettings } from "@/test/support/settings";

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  /** Replaces the wait between two comparisons; false stands for a signal. */
  wait: (ms: number) => Promise<boolean> = () => Promise.resolve(false),
): Promise<CommandOutcome> {
  let [out, err] = ["", ""];
  const code = await runCommandLine(args, {
    environment,
    terminal: { write: (text) => (out += text), note: (text) => (err += text), isWatched: true },
    settings: () => readSettings(environment),
    // Not what this machine may have for a service.
    readSettings: (file) => file !== undefined && readSettingsFile(file),
    start: (dataDir) => startServer({ dataDir }),
    join: (dataDir) => joinServer({ dataDir }),
    root: process.cwd(),
    now: () => new Date(0),
    waiter: () => ({ wait, stop: () => undefined }),
  });
  return { code, out, err };
}
