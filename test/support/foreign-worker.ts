import { vi } from "vitest";

const key = Symbol.for("policy-server.certificate-worker");

/**
 * Has another instance of the module make the certificate worker of this process, as the server entry does for the
 * bundles of Next: what the worker's client throws is then of classes that this instance does not know.
 *
 * @returns the foreign instance, and how to end its worker
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
