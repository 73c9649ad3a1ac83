import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startSecondEngine, usesSecondEngine } from "@/test/support/second-engine";

declare module "vitest" {
  interface ProvidedContext {
    databaseUri: string;
  }
}

/** On TEST_MONGODB_URI or MONGODB_URI if given, with TEST_DATABASE=secantusdb on the second engine. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_MONGODB_URI ?? process.env.MONGODB_URI;
  if (given !== undefined && given !== "") {
    project.provide("databaseUri", given);
    return undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), "policy-server-test-"));
  const { uri, close } = await (usesSecondEngine ? startEngine(dataDir) : startEmbedded(dataDir));
  project.provide("databaseUri", uri);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function startEngine(folder: string) {
  const { uri, kill } = await startSecondEngine(folder);
  return { uri, close: kill };
}

async function startEmbedded(dataDir: string) {
  const { startEmbeddedDatabase } = await import("@/test/support/embedded-database");
  const server = await startEmbeddedDatabase({ dataDir });
  return { uri: server.uri, close: () => server.close() };
}
