/**
 * State that exists once in the process. The server entry and the bundles of Next load a module several times, so a
 * plain module variable would exist several times as well.
 *
 * @param name unique name of the value
 * @param create makes it when it is asked for the first time
 */
export function processGlobal<T>(name: string, create: () => T): T {
  const registry = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(`policy-server.${name}`);
  return (registry[key] ??= create());
}
