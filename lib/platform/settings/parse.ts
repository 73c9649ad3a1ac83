import path from "node:path";
import { buildSettings, type Settings } from "@/lib/platform/settings/build";
import { findConflicts, type SettingsFiles } from "@/lib/platform/settings/checks";
import { secretVariables, type Variables, variableNames, variables } from "@/lib/platform/settings/variables";
import { findWarnings, foreignDatabaseNames, moved } from "@/lib/platform/settings/warnings";

type Environment = Readonly<Record<string, string>>;

export type ParsedSettings = { settings: Settings; warnings: string[] } | { problems: string[] };

/** Validates an environment and builds the settings (`settings.md` E1 to E8), or returns all errors, without any values. */
export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
  files: SettingsFiles,
): ParsedSettings {
  const { env, problems: fileProblems } = prepareEnvironment(environment, files);
  const first = variables.safeParse(env);
  const unusable = new Map<PropertyKey, string>(fileProblems);
  for (const issue of first.error?.issues ?? []) {
    const [name = ""] = issue.path;
    if (!unusable.has(name)) unusable.set(name, `${String(name)} ${issue.message}`);
  }
  // From here on, invalid settings count as not set, so that all other checks run, too.
  const values =
    first.data ?? variables.parse(Object.fromEntries(Object.entries(env).filter(([n]) => !unusable.has(n))));

  const problems = [...unusable.values()];
  if (files.isChecked !== true) {
    problems.push(...moved.filter(([name]) => name in env).map((line) => line.join(" ")));
    problems.push(...findPublicNames(env), ...findForeignDatabase(env, values, files));
    for (const line of findConflicts(values, files)) {
      if (!line.match(/[A-Z][A-Z_]+/g)?.some((name) => unusable.has(name))) problems.push(line);
    }
  }
  if (problems.length > 0) return { problems };

  const settings = buildSettings(values, files);
  return { settings, warnings: [...findWarnings(env, values, settings)] };
}

/** Rule E5: Next.js exposes variables with this prefix to browsers. */
function findPublicNames(env: Environment): string[] {
  return variableNames
    .filter((name) => `NEXT_PUBLIC_${name}` in env)
    .map((name) => `NEXT_PUBLIC_${name} must not be set: settings never reach the browser; use ${name}`);
}

/** The other server's settings alone start nothing: apps that it blocked would work again (`settings.md` 12). */
function findForeignDatabase(env: Environment, values: Variables, { root, holdsDatabase }: SettingsFiles): string[] {
  const found = foreignDatabaseNames.filter((name) => name in env);
  if (found.length === 0 || "MONGODB_URI" in env) return [];
  const dataDir = path.resolve(root, values.DATA_DIR);
  if (holdsDatabase?.(path.join(dataDir, "database")) === true) return [];
  return [
    `${found.join(", ")}: the settings of another policy server, whose data this server does not have: vehicles would be ` +
      "answered from an empty policy. Either set MONGODB_URI to a database of this server, or remove these settings " +
      "to begin with an empty policy in DATA_DIR",
  ];
}

/** Usual lower-case proxy variables, which take precedence. */
const lowerCaseNames = { https_proxy: "HTTPS_PROXY", http_proxy: "HTTP_PROXY", no_proxy: "NO_PROXY" } as const;

/** Prepares the environment: drops empty values (rule E1), reads secrets from files (rule E8), maps proxy variables. */
export function prepareEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  files: SettingsFiles,
): { readonly env: Environment; readonly problems: ReadonlyMap<string, string> } {
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
  env: Environment,
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
