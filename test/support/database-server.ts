import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    databaseUri: string;
  }
}

/**
 * One database server for a whole test run. With TEST_MONGODB_URI or MONGODB_URI the same tests run against that
 * replica set; every test file uses a database of its own and drops it.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_MONGODB_URI ?? process.env.MONGODB_URI;
  if (given !== undefined && given !== "") {
    project.provide("databaseUri", given);
    return undefined;
  }
  const { startEmbeddedDatabase } = await import("@/embedded/start");
  const dataDir = await mkdtemp(join(tmpdir(), "policy-server-test-"));
  const server = await startEmbeddedDatabase({ dataDir });
  project.provide("databaseUri", server.uri);
  return async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
