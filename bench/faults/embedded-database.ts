import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { stopProcess } from "@/test/support/processes";

/** A MongoDB that can be killed and stopped: the embedded database as a separate program, bundled for a quick start. */
export class DatabaseProgram {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "faults-database-"));
  readonly #dataDir: string;
  #child: ChildProcess | null = null;
  #isBuilt = false;

  /** @param dataDir folder of its files */
  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Starts it. Returns its connection string, the same every time. */
  async start(): Promise<string> {
    const program = path.join(this.#folder, "main.mjs");
    if (!this.#isBuilt) {
      const options = { bundle: true, platform: "node", format: "esm", packages: "bundle" } as const;
      const banner = {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      };
      await build({ entryPoints: ["test/support/embedded-main.ts"], outfile: program, banner, ...options });
      this.#isBuilt = true;
    }
    const child = spawn(process.execPath, [program, "--data-dir", this.#dataDir], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (status) => reject(new Error(`the database ended with ${status}`)));
    });
    return (JSON.parse(line) as { uri: string }).uri;
  }

  async kill(): Promise<void> {
    if (this.#child) await stopProcess(this.#child, "SIGKILL");
  }

  /** Suspends the process; `resume` continues it. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
