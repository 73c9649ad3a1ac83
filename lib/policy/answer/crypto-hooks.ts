import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "@/lib/labels/vocabulary";

/** Custom functions between vehicle and table (rule R7); each is optional. */
export interface CryptoHooks {
  /** Receives the value of `policy_table` as sent; its result replaces the value. */
  readonly decryptPolicyTable?: (value: unknown, environment: Environment) => unknown;
  /** Receives the `data` array of an answer; its result replaces the array. */
  readonly encryptPolicyTable?: (data: unknown, environment: Environment) => unknown;
}

/**
 * Loads the hooks from `POLICY_CRYPTO_MODULE` (rule R7) once at start.
 *
 * @param file path of a JavaScript module inside the project, or null if there are no hooks
 * @param root the project folder
 * @throws Error with one sentence if the module is missing, is outside the project, or lacks both exports
 */
export async function loadCryptoHooks(file: string | null, root: string): Promise<CryptoHooks> {
  if (file === null) return {};
  const location = path.resolve(root, file);
  const [firstStep] = path.relative(root, location).split(path.sep);
  if (firstStep === "..") throw new Error("POLICY_CRYPTO_MODULE must lie inside the project");
  const loaded = await loadModule(pathToFileURL(location).href);
  const hooks: Record<string, unknown> = {};
  for (const name of ["decryptPolicyTable", "encryptPolicyTable"] as const) {
    if (typeof loaded[name] !== "function") throw new Error(`POLICY_CRYPTO_MODULE must export the function ${name}`);
    hooks[name] = loaded[name];
  }
  return hooks;
}

async function loadModule(url: string): Promise<Record<string, unknown>> {
  try {
    // A custom module that exists only at run time, so bundlers must not touch the import.
    return (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ url)) as Record<string, unknown>;
  } catch (cause) {
    throw new Error("POLICY_CRYPTO_MODULE cannot be loaded", { cause });
  }
}
