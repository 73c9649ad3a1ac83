import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "@/lib/labels/vocabulary";

/** What a site may put between the vehicle and the table (rule R7); each part may be left out. */
export interface CryptoHooks {
  /** Gets the value of `policy_table` as sent; its result takes the value's place. */
  readonly decryptPolicyTable?: (value: unknown, environment: Environment) => unknown;
  /** Gets the `data` array of an answer; its result takes the array's place. */
  readonly encryptPolicyTable?: (data: unknown, environment: Environment) => unknown;
}

/**
 * Loads the hooks named by `POLICY_CRYPTO_MODULE` (rule R7); once, at start.
 *
 * @param file path of a JavaScript module inside the project, or null when there are no hooks
 * @param root the project's folder
 * @throws Error with one sentence when the module is missing, lies outside the project, or lacks both exports
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
    // The module is the site's own and exists only at run time: bundlers must leave the import alone.
    return (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ url)) as Record<string, unknown>;
  } catch (cause) {
    throw new Error("POLICY_CRYPTO_MODULE cannot be loaded", { cause });
  }
}
