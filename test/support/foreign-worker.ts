import { vi } from "vitest";

const key = Symbol.for("policy-server.certificate-worker");

/** Like the bundles of Next, whose errors are of classes that this instance does not know. */
export async function useForeignWorker() {
  const registry = globalThis as { [key]?: unknown };
  const before = registry[key];
  registry[key] = undefined;
  vi.resetModules();
  const foreign = await import("@/lib/certificates/worker/worker-client");
  const client = foreign.certificateWorker();
  return {
    foreign,
    end: async () => {
      await client.stop();
      registry[key] = before;
    },
  };
}
