import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import build, { emptyDataDir } from "@/test/support/server";

declare module "vitest" {
  interface ProvidedContext {
    exampleData: string;
  }
}

/** Project `browser`: a build of the sources, and a data directory with example data that every server gets a copy of. */
export default function setup(project: TestProject): () => void {
  build();
  const folder = emptyDataDir();
  const fill = ["--import", "tsx", "bench/fill.ts", folder, "0", "--example-apps", "--example-item"];
  const filled = spawnSync(process.execPath, fill, { stdio: ["ignore", "ignore", "inherit"] });
  if (filled.status !== 0) throw new Error("filling the data directory failed");
  project.provide("exampleData", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
