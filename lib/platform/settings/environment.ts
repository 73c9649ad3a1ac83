import path from "node:path";
import type { SettingsFiles } from "@/lib/platform/settings/checks";
import { secretVariables } from "@/lib/platform/settings/variables";

export type EnvironmentVariables = Readonly<Record<string, string>>;

/** Usual lower-case proxy variables, which take precedence. */
const lowerCaseNames = { https_proxy: "HTTPS_PROXY", http_proxy: "HTTP_PROXY", no_proxy: "NO_PROXY" } as const;

/** Prepares the environment: drops empty values (rule E1), reads secrets from files (rule E8), maps proxy variables. */
export function prepareEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  files: SettingsFiles,
): { readonly env: EnvironmentVariables; readonly problems: ReadonlyMap<string, string> } {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value !== "") env[name] = value;
  for (const [lower, name] of Object.entries(lowerCaseNames)) if (env[lower] !== undefined) env[name] = env[lower];
  const problems = new Map<string, string>();
  for (const name of secretVariables) {
    const { value, problem } = readSecret(name, env, files);
    if (problem !== undefined) problems.set(name, problem);
    else if (value !== undefined) env[name] = value;
  }
  return { env, problems };
}

/** Reads a secret from `NAME`, or from the file in `NAME_FILE` (rule E8). `source` names the file setting in a problem. */
export function readSecret(
  name: string,
  env: EnvironmentVariables,
  files: Pick<SettingsFiles, "root" | "read">,
  source = `${name}_FILE`,
): { readonly value?: string | undefined; readonly problem?: string } {
  const file = env[`${name}_FILE`];
  if (file === undefined) return { value: env[name] };
  if (name in env) return { problem: `${name} and ${source} must not both be set` };
  const content = files.read?.(path.resolve(files.root, file)) ?? null;
  if (content === null) return { problem: `${source} names a file that cannot be read: ${file}` };
  const value = content.replace(/\r?\n$/, "");
  return value === "" ? { problem: `${source} names an empty file: ${file}` } : { value };
}
