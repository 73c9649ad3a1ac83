import path from "node:path";
import type { SettingsFiles } from "@/lib/settings/checks";
import { secretVariables } from "@/lib/settings/variables";

/** The environment with empty values taken out (rule E1). */
export type Environment = Readonly<Record<string, string>>;

/** The usual names of programs that ask through a proxy; these win. */
const lowerCaseNames = { https_proxy: "HTTPS_PROXY", http_proxy: "HTTP_PROXY", no_proxy: "NO_PROXY" } as const;

/** The settings of an environment as text, before they are checked. */
export interface ReadEnvironment {
  readonly env: Environment;
  /** A line for each secret that cannot be taken from its file, by its name. */
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * Prepares an environment: without empty values (rule E1), with secrets from the files that `NAME_FILE` names (rule E8), and
 * with the lower-case names of the outgoing proxies.
 */
export function prepareEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  files: SettingsFiles,
): ReadEnvironment {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value !== "") env[name] = value;
  for (const [lower, name] of Object.entries(lowerCaseNames)) if (env[lower] !== undefined) env[name] = env[lower];
  const problems = new Map<string, string>();
  for (const name of secretVariables) {
    const file = env[`${name}_FILE`];
    if (file === undefined) continue;
    const content = files.read?.(path.resolve(files.root, file)) ?? null;
    const value = content?.replace(/\r?\n$/, "");
    if (name in env) problems.set(name, `${name} and ${name}_FILE must not both be set`);
    else if (value === undefined) problems.set(name, `${name}_FILE names a file that cannot be read: ${file}`);
    else if (value === "") problems.set(name, `${name}_FILE names an empty file: ${file}`);
    else env[name] = value;
  }
  return { env, problems };
}
