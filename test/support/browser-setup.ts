import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import build, { emptyDataDir } from "@/test/support/server";

declare module "vitest" {
  interface ProvidedContext {
    /** A filled data directory; servers start with a copy of it. */
    exampleData: string;
    /** A folder with one file per shared server, named by its process id; the content is its data directory. */
    sharedServers: string;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  build();
  const folder = emptyDataDir();
  const exampleData = path.join(folder, "example");
  const fill = ["--import", "tsx", "bench/fill.ts", exampleData, "0", "--example-apps", "--example-item"];
  const filled = spawnSync(process.execPath, fill, { stdio: ["ignore", "ignore", "inherit"] });
  if (filled.status !== 0) throw new Error("filling the data directory failed");
  const sharedServers = path.join(folder, "servers");
  mkdirSync(sharedServers);
  project.provide("exampleData", exampleData);
  project.provide("sharedServers", sharedServers);
  return async () => {
    for (const pid of readdirSync(sharedServers)) {
      await endProcess(Number(pid));
      rmSync(readFileSync(path.join(sharedServers, pid), "utf8"), { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

async function endProcess(pid: number): Promise<void> {
  try {
    process.kill(pid, "SIGTERM");
    for (;;) {
      process.kill(pid, 0);
      await wait(20);
    }
  } catch {
    // It no longer exists.
  }
}
