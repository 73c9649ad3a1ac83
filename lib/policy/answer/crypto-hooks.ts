import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "@/lib/vocabulary/terms";

export interface CryptoHooks {
  /** Receives the value of `policy_table` as sent; its result replaces the value. */
  readonly decryptPolicyTable?: (value: unknown, environment: Environment) => unknown;
  readonly encryptPolicyTable?: (data: unknown, environment: Environment) => unknown;
}

/** Loads the hooks of `POLICY_CRYPTO_MODULE` (rule R7), a path inside of `root`; null: none. Throws an Error. */
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
