import { isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SettingsFiles } from "@/lib/platform/settings/checks";
import { databaseOf, usualDatabase } from "@/lib/platform/settings/connection-string";
import type { Variables } from "@/lib/platform/settings/variables";

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>;

/** The variables in camel case: `POLICY_SERVER_PORT` is `policyServerPort`. `null` means not set. */
type Named = { readonly [Name in keyof Variables as CamelCase<Name>]: Variables[Name] };

/** Settings for issuing certificates, or the missing ones (`settings.md` section 7). Paths are absolute. */
export type CertificateGeneration =
  | {
      readonly enabled: true;
      readonly caPrivateKeyPath: string;
      readonly caCertificatePath: string;
      readonly passphrase: string;
      readonly caPassphrase: string;
      readonly commonName: string;
    }
  | { readonly enabled: false; readonly missing: readonly string[] };

export type Settings = Readonly<ReturnType<typeof buildSettings>>;

export function buildSettings(values: Variables, files: SettingsFiles) {
  const dataDir = path.resolve(files.root, values.DATA_DIR);
  const absolute = (folder: string | null) => folder && path.resolve(files.root, folder);
  return {
    ...withCamelCaseNames(values),
    /** Address to listen on; null: all addresses, including IPv6 if available (omit `host` in `listen`). */
    listenAddress: values.LISTEN_ADDRESS ?? (values.AUTH_TYPE === null ? "127.0.0.1" : null),
    publicBaseUrl: values.PUBLIC_BASE_URL ?? buildPublicBaseUrl(values),
    dataDir,
    vehicleWorkers: countVehicleWorkers(values.VEHICLE_WORKERS, availableParallelism()),
    drainSeconds: values.DRAIN_SECONDS ?? (values.NODE_ENV === "development" ? 0 : 5),
    bundleDir: path.join(dataDir, "bundles"),
    backupDir: absolute(values.BACKUP_DIR),
    policyCryptoModule: absolute(values.POLICY_CRYPTO_MODULE),
    tls: buildTls(values, files),
    usesEmbeddedDatabase: values.MONGODB_URI === null,
    databaseName: databaseOf(values.MONGODB_URI ?? "") ?? usualDatabase,
    directory: findDirectory(values),
    logLevel: chooseLogLevel(values),
    isTrial: isTrial(values),
    /** Where the RPC specification is: a URL or an absolute path; null: it is not read (`directory.md` 3.7). */
    rpcSpecSource: findSpecification(values.RPC_SPEC_URL),
    certificateGeneration: buildCertificateGeneration(values, files),
  };
}

type TrialValues = Pick<Variables, "NODE_ENV" | "LOG_LEVEL" | "SHAID_PUBLIC_KEY" | "EXAMPLE_DIRECTORY" | "AUTH_TYPE">;

/** Somebody tries the server out in a terminal, where a log would hide the three lines that matter (`operations.md` O10). */
function isTrial(values: TrialValues): boolean {
  return values.NODE_ENV === "production" && values.LOG_LEVEL === null && findDirectory(values) === "example";
}

export function chooseLogLevel(values: TrialValues): NonNullable<Variables["LOG_LEVEL"]> {
  return values.LOG_LEVEL ?? (isTrial(values) ? "warn" : "info");
}

/** `off`: directory tasks do not run and webhooks return 401. */
function findDirectory(
  values: Pick<Variables, "SHAID_PUBLIC_KEY" | "EXAMPLE_DIRECTORY" | "AUTH_TYPE">,
): "shaid" | "example" | "off" {
  if (values.SHAID_PUBLIC_KEY !== null) return "shaid";
  // Made-up apps are for trying the server out, not for vehicles.
  return (values.EXAMPLE_DIRECTORY ?? values.AUTH_TYPE === null) ? "example" : "off";
}

function findSpecification(url: string): string | null {
  if (url === "off") return null;
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}

/** Two, so that one can restart without refusing requests. On one core, they would only compete. */
function countVehicleWorkers(wanted: Variables["VEHICLE_WORKERS"], cores: number): number {
  if (wanted === null) return Math.min(2, cores);
  return wanted === "auto" ? Math.max(1, cores - 1) : wanted;
}

export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function withCamelCaseNames(values: Variables): Named {
  // The compiler cannot check the renaming; `CamelCase` is the same rule for types.
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [camelCase(name), value]),
  ) as unknown as Named;
}

/** `policy-table.md` section 3: https and its port if TLS is on, without a default port. */
function buildPublicBaseUrl(values: Variables): string {
  const isTls = values.POLICY_SERVER_PORT_SSL !== null;
  const port = values.POLICY_SERVER_PORT_SSL ?? values.POLICY_SERVER_PORT;
  const host = isIPv6(values.POLICY_SERVER_HOST) ? `[${values.POLICY_SERVER_HOST}]` : values.POLICY_SERVER_HOST;
  const suffix = port === (isTls ? 443 : 80) ? "" : `:${port}`;
  return `${isTls ? "https" : "http"}://${host}${suffix}`;
}

function buildTls(values: Variables, { root, program = root }: SettingsFiles) {
  const { POLICY_SERVER_PORT_SSL: port, SSL_CERTIFICATE_FILENAME: certificate, SSL_PRIVATE_KEY_FILENAME: key } = values;
  const { TLS_LEGACY_CIPHERS: legacyCiphers } = values;
  if (port === null || certificate === null || key === null) return null;
  const inFolder = (file: string) => path.join(program, "customizable/ssl", file);
  return { port, certificatePath: inFolder(certificate), privateKeyPath: inFolder(key), legacyCiphers };
}

function buildCertificateGeneration(values: Variables, files: SettingsFiles): CertificateGeneration {
  const { root, readable, program = root } = files;
  const {
    CA_PRIVATE_KEY_FILENAME: key,
    CA_CERTIFICATE_FILENAME: certificate,
    CERTIFICATE_PASSPHRASE: passphrase,
    CA_PASSPHRASE: caPassphrase,
    CERTIFICATE_COMMON_NAME: commonName,
  } = values;
  const inFolder = (file: string | null) => (file === null ? null : path.join(program, "customizable/ca", file));
  const isReadable = (file: string | null): file is string => file !== null && readable(file);
  const caPrivateKeyPath = inFolder(key);
  const caCertificatePath = inFolder(certificate);
  if (isReadable(caPrivateKeyPath) && isReadable(caCertificatePath) && passphrase !== null && commonName !== null) {
    const passphrases = { passphrase, caPassphrase: caPassphrase ?? passphrase };
    return { enabled: true, caPrivateKeyPath, caCertificatePath, ...passphrases, commonName };
  }
  const missing = [
    ["CA_PRIVATE_KEY_FILENAME", isReadable(caPrivateKeyPath)],
    ["CA_CERTIFICATE_FILENAME", isReadable(caCertificatePath)],
    ["CERTIFICATE_PASSPHRASE", passphrase !== null],
    ["CERTIFICATE_COMMON_NAME", commonName !== null],
  ] as const;
  return { enabled: false, missing: missing.flatMap(([name, isThere]) => (isThere ? [] : [name])) };
}
