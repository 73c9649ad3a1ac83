import { vi } from "vitest";

const key = Symbol.for("policy-server.certificate-worker");

/**
 * Lets another instance of the module create this process's certificate worker, like the server entry does for the
 * bundles of Next. Errors of the worker's client are then of classes that this instance does not know.
 *
 * @returns the foreign instance, and a function that stops its worker
 */
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
