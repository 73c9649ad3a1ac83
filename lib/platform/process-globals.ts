/** State that exists once per process, although bundles load modules several times. `name` must be unique. */
export function processGlobal<T>(name: string, create: () => T): T {
  const registry = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(`policy-server.${name}`);
  return (registry[key] ??= create());
}
