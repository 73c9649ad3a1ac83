import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import build, { emptyDataDir } from "@/test/support/server";

declare module "vitest" {
  interface ProvidedContext {
    /** A filled data directory, for servers to begin with a copy of it. */
    exampleData: string;
    /** A folder with a file for each server that files share: its name is the process, and it says where the data are. */
    sharedServers: string;
  }
}

/** Project `browser`: a build of the sources, example data, and an end for the servers that files have shared. */
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

/** Ends a process of a process that has ended. */
async function endProcess(pid: number): Promise<void> {
  try {
    process.kill(pid, "SIGTERM");
    for (;;) {
      process.kill(pid, 0);
      await wait(20);
    }
  } catch {
    // There is none any more.
  }
}
