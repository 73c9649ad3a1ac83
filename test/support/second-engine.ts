import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { findSecondEngine, secondEngineName } from "@/scripts/test-plan.mjs";
import { stopProcess } from "@/test/support/processes";

export const usesSecondEngine = process.env.TEST_DATABASE === secondEngineName;

/** Listens on a port, 0 for a free one. Ends with its standard input, so it never outlives its parent (`kill -9`). */
const program = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from secantus.cli import main
main(["--host", "127.0.0.1", "--port", sys.argv[2], "--cache-size", "256M", "--sync-on-commit", "--storage-path", sys.argv[1]])
`;

export interface RunningEngine {
  readonly uri: string;
  readonly child: ChildProcess;
  readonly kill: () => Promise<void>;
}

/** A folder keeps its port, so that its clients can reconnect. */
const ports = new Map<string, string>();

export async function startSecondEngine(folder: string): Promise<RunningEngine> {
  const python = findSecondEngine();
  if (python === null) throw new Error("the second engine is not installed: npm run install:second-engine");
  mkdirSync(folder, { recursive: true });
  // Its own folder contains no unrelated configuration file.
  const child = spawn(python, ["-c", program, folder, ports.get(folder) ?? "0"], {
    cwd: folder,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const lines: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const [, found] = / listening on 127\.0\.0\.1:(\d+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("error", reject);
    child.once("exit", (status) => reject(new Error(`the second engine ended with ${status}:\n${lines.join("\n")}`)));
  });
  ports.set(folder, port);
  // Nothing is kept, and a clean shutdown would take seconds.
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=secantus`, child, kill: () => stopProcess(child, "SIGKILL") };
}
