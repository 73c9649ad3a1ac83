"one per process";

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { decodeUtf8 } from "@/lib/vocabulary/whole-text";
import { chooseLogLevel, type Settings } from "@/lib/platform/settings/build";
import { type ParsedSettings, parseSettings } from "@/lib/platform/settings/parse";
import { secretsOf, secretVariables, type Variables, variables } from "@/lib/platform/settings/variables";

export type { CertificateGeneration, Settings } from "@/lib/platform/settings/build";

/** The configuration prevents a start. `problems` has one line per error, never a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";

  constructor(readonly problems: readonly string[]) {
    super(`Configuration errors:\n${problems.join("\n")}`);
  }
}

interface Loaded {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

let loaded: Loaded | null = null;

/** The settings of this process, read once from environment and `.env`. Throws SettingsError with every error. */
export function loadSettings(): Settings {
  return load().settings;
}

export type ProgramName = keyof typeof secretsOf;

/** The settings of a process that `main` has started, which has checked them. Other secrets count as not set. */
export function loadSettingsOf(program: ProgramName): Settings {
  const parse = () => parseSettings(withSecretsOf(program, readEnvironment()), { ...files(), isChecked: true });
  return (loaded ??= accept(parse())).settings;
}

/** This process's environment for another one, with the secrets that it needs. */
export function programEnvironment(program: ProgramName): NodeJS.ProcessEnv {
  return withSecretsOf(program, process.env);
}

function withSecretsOf<T extends Readonly<Record<string, string | undefined>>>(
  program: ProgramName,
  environment: T,
): T {
  const needed: readonly string[] = secretsOf[program];
  const left = new Set(
    secretVariables.filter((name) => !needed.includes(name)).flatMap((name) => [name, `${name}_FILE`]),
  );
  const kept = Object.entries(environment).filter(([name]) => !left.has(name.toUpperCase()));
  return Object.fromEntries(kept) as T;
}

/** For a command of the program in the folder `program`. Skips the check that stops a server without data. */
export function loadCommandSettings(program: string): Settings {
  return accept(parseSettings(readEnvironment(), { ...files(), program, holdsDatabase: () => true })).settings;
}

/** As in `deploy/open-policy-server.service`. */
export const systemdUnit = { settingsFile: "/etc/policy-server.env", dataDir: "/var/lib/policy-server" } as const;

/**
 * Takes the settings of a file for a command; variables that are set count more. `file` undefined: that of the systemd
 * unit, if this user may read it (`settings.md` E10b). Throws SettingsError.
 */
export function readSettingsFile(
  file: string | undefined,
  unit: Readonly<Record<keyof typeof systemdUnit, string>> = systemdUnit,
): void {
  if (file === undefined && (namesOtherServer() || readSecretFile(unit.settingsFile) === null)) return;
  const chosen = path.resolve(file ?? unit.settingsFile);
  for (const [name, value] of Object.entries(readEnvFile(chosen) ?? refuseFile(chosen))) process.env[name] ||= value;
  if (chosen === unit.settingsFile) process.env.DATA_DIR ||= unit.dataDir;
}

/** `DATA_DIR=copy open-policy restore …` must not reach the service's database. */
function namesOtherServer(): boolean {
  const { DATA_DIR, MONGODB_URI, MONGODB_URI_FILE } = process.env;
  return Boolean(DATA_DIR || MONGODB_URI || MONGODB_URI_FILE) || existsSync(path.join(process.cwd(), ".env"));
}

export function loadProxySettings(): Pick<Settings, "httpsProxy" | "httpProxy" | "noProxy"> {
  if (loaded !== null) return loaded.settings;
  const own = Object.entries(readEnvironment()).filter(([name]) => /^(?:https?_proxy(?:_file)?|no_proxy)$/i.test(name));
  return accept(parseSettings(Object.fromEntries(own), files())).settings;
}

export function loadSettingsWarnings(): readonly string[] {
  return load().warnings;
}

const logVariables = variables.pick({
  ...{ NODE_ENV: true, LOG_LEVEL: true },
  ...{ SHAID_PUBLIC_KEY: true, EXAMPLE_DIRECTORY: true, AUTH_TYPE: true },
});

/** Only the log level. Never throws: the log must exist first, and `loadSettings` reports a wrong level. */
export function findLogLevel(): Settings["logLevel"] {
  try {
    const set = Object.entries(readEnvironment()).filter(([, value]) => value !== "");
    return chooseLogLevel(logVariables.parse(Object.fromEntries(set)));
  } catch {
    return "info";
  }
}

export function setForChildren(name: Exclude<keyof Variables, "NODE_ENV">, value: string): void {
  process.env[name] = value;
}

export function replaceSettings(settings: Settings | null): void {
  loaded = settings === null ? null : { settings, warnings: [] };
}

function load(): Loaded {
  return (loaded ??= accept(parseSettings(readEnvironment(), files())));
}

const files = () => ({
  root: process.cwd(),
  readable: (file: string) => readSecretFile(file) !== null,
  read: readSecretFile,
  holdsDatabase,
});

function accept(parsed: ParsedSettings): Loaded {
  if ("problems" in parsed) throw new SettingsError(parsed.problems);
  return parsed;
}

function readEnvironment(): Readonly<Record<string, string | undefined>> {
  // Tests must never use a database that a developer's `.env` names.
  if (process.env.NODE_ENV === "test") return process.env;
  // An empty value means "not set", so the file fills it, too.
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  return { ...readEnvFile(path.join(process.cwd(), ".env")), ...Object.fromEntries(set) };
}

function readEnvFile(file: string): NodeJS.Dict<string> | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    return refuseFile(file);
  }
  const decoded = decodeUtf8(bytes);
  if ("problem" in decoded) return refuseFile(file, decoded.problem);
  // The mark would become a part of the first name.
  return parseEnv(decoded.text.replace(/^\uFEFF/, ""));
}

function refuseFile(file: string, problem = "cannot be read"): never {
  throw new SettingsError([`${path.basename(file)} ${problem}`]);
}

function holdsDatabase(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith(".db"));
  } catch {
    return false;
  }
}

export function readSecretFile(file: string): string | null {
  try {
    return statSync(file).isFile() ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
