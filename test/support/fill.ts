import { spawn } from "node:child_process";
import { once } from "node:events";

/** Fills a data directory like `bench/fill.ts`. The test process stays responsive, so that its runner hears from it. */
export async function fillDataDir(dataDir: string, apps: number, ...options: readonly string[]): Promise<void> {
  const args = ["--conditions=react-server", "--import", "tsx", "bench/fill.ts", dataDir, String(apps), ...options];
  const [status] = await once(spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
  if (status !== 0) throw new Error(`bench/fill.ts ended with ${String(status)}`);
}
