import { spawn } from "node:child_process";
import { once } from "node:events";

/** Fills a data directory as `bench/fill.ts` does. Meanwhile the process of the test stays awake, so that its runner hears of it. */
export async function fillDataDir(dataDir: string, apps: number, ...options: readonly string[]): Promise<void> {
  const args = ["--import", "tsx", "bench/fill.ts", dataDir, String(apps), ...options];
  const program = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [status] = await once(program, "exit");
  if (status !== 0) throw new Error(`bench/fill.ts ended with ${String(status)}`);
}
