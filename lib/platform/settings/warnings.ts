import { asksWho, isShortPassword, minPasswordLength } from "@/lib/platform/settings/access-kinds";
import { isProxyExemption } from "@/lib/platform/settings/address-kinds";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";
import type { EnvironmentVariables } from "@/lib/platform/settings/environment";
import { announcesPlainHttp, phonesAskByHttps } from "@/lib/vocabulary/phones";
import type { Variables } from "@/lib/platform/settings/variables";

const postgres = (prefix: string) =>
  ["USER", "PASSWORD", "HOST", "PORT", "DATABASE"].map((part) => `${prefix}_${part}`);

export const foreignDatabaseNames: readonly string[] = postgres("DB");

/** Settings of older servers without effect here (`settings.md` sections 9 and 12): one line per group. */
const obsolete: readonly { readonly names: readonly string[]; readonly now: string }[] = [
  {
    names: foreignDatabaseNames,
    now: "this server stores its data in MongoDB: set MONGODB_URI. They are not turned into one",
  },
  { names: postgres("STAGING_PG"), now: "ignored" },
  { names: postgres("PRODUCTION_PG"), now: "ignored" },
  { names: postgres("TEST_PG"), now: "ignored; tests use their own database" },
  {
    names: ["CACHE_MODULE", "CACHE_HOST", "CACHE_PORT", "CACHE_PASSWORD"],
    now: "ignored; compiled policies live in memory and there is no cache to configure",
  },
  { names: ["LOG_MODULE"], now: "ignored; log lines are JSON on the standard output, see LOG_LEVEL" },
  { names: ["TRUST_PROXY"], now: "set TRUST_PROXY_ADDRESSES" },
  { names: ["MONGODB_MAX_POOL"], now: "set maxPoolSize in MONGODB_URI" },
  { names: ["MONGODB_TIMEOUT_MS"], now: "set serverSelectionTimeoutMS in MONGODB_URI" },
  { names: ["RPC_SPEC_FILE"], now: "set RPC_SPEC_URL=file:///path" },
  { names: ["PUBLISH_APPROVALS_APPS"], now: "set PUBLISH_APPROVALS=all" },
  { names: ["BUNDLE_ALLOW_HTTP"], now: "set BUNDLE_ALLOW_PRIVATE" },
  { names: ["METRICS_PORT", "METRICS_ADDRESS"], now: "set METRICS_TOKEN" },
  { names: ["LOG_VEHICLES", "OTEL_TRACES_SAMPLER_ARG"], now: "LOG_LEVEL=debug logs and traces every vehicle request" },
  {
    names: [
      ...["APP_CERTIFICATE_GET_PER_MINUTE", "BACKUP_KEEP", "BUNDLE_MAX_BYTES", "CONSOLE_MAX_REQUESTS"],
      ...["MAX_BODIES_PER_ADDRESS", "OTEL_SERVICE_NAME", "SCHEDULE_ENABLED", "UPDATE_CHECK_URL"],
      "VEHICLE_WORKER_MEMORY_MB",
    ],
    now: "ignored; the value is fixed, see docs/spec/settings.md",
  },
  { names: ["RUN_STATE", "OVERRIDE_ENTRY_POINT", "VUE_APP_AUTH_TYPE"], now: "ignored" },
];

/** Settings of older versions of this server that must not be ignored: another database or folder would be used. */
export const moved: readonly (readonly [string, string])[] = [
  ["MONGODB_DB", "must not be set: MONGODB_URI names the database"],
  ["BUNDLE_DIR", "must not be set: bundles are in the folder bundles of DATA_DIR"],
];

/** Warnings about obsolete settings. They name the settings, never their values. */
export function buildObsoleteWarnings(env: EnvironmentVariables): string[] {
  return obsolete.flatMap(({ names, now }) => {
    const found = names.filter((name) => name in env);
    return found.length > 0 ? [`${found.join(", ")}: no longer applicable; ${now}`] : [];
  });
}

/** Warns if vehicles get a plain http address (`phones.md` Q6). `isSet`: whether the setting gives it. */
export function buildAddressWarnings(publicBaseUrl: string, isSet: boolean): string[] {
  if (!announcesPlainHttp(publicBaseUrl)) return [];
  const what = isSet ? "PUBLIC_BASE_URL begins" : "Without PUBLIC_BASE_URL the address that vehicles are told begins";
  return [`${what} with http://. ${phonesAskByHttps}`];
}

interface Advice {
  readonly isDue: (values: Variables) => boolean;
  readonly line: string;
}

const advice: readonly Advice[] = [
  {
    isDue: ({ AUTH_TYPE: auth }) => auth === "none",
    line: "AUTH_TYPE=none: the console and the whole API are open to everyone who can reach this server",
  },
  {
    isDue: ({ AUTH_TYPE: auth, BASIC_AUTH_PASSWORD: password }) =>
      asksWho(auth) && password !== null && isShortPassword(password),
    line: `BASIC_AUTH_PASSWORD is short; use ${minPasswordLength} characters or more`,
  },
  {
    isDue: ({ AUTH_TYPE: auth, AUTH_USER_HEADER: header, AUTH_USER_ID_CLAIM: claim }) =>
      claim !== null && (auth !== "oidc" || header === null),
    line: "AUTH_USER_ID_CLAIM has no effect without AUTH_TYPE=oidc and AUTH_USER_HEADER",
  },
  {
    isDue: ({ BUNDLE_HANDLER: handler, BUCKET_NAME: bucket }) => handler !== "s3" && bucket !== null,
    line: "BUCKET_NAME has no effect while BUNDLE_HANDLER is not s3: app packages are not kept in the bucket",
  },
  {
    isDue: ({ BACKUP_DIR: folder, MONGODB_URI: uri }) => folder !== null && uri !== null,
    line: "BACKUP_DIR has no effect with MONGODB_URI: use the tools of MongoDB, or open-policy backup",
  },
  {
    isDue: ({ NO_PROXY: entries }) => !entries.every(isProxyExemption),
    line: "NO_PROXY has entries without effect: they are neither a host, nor an address or network, nor *",
  },
  {
    isDue: ({ SHAID_PUBLIC_KEY: key, EXAMPLE_DIRECTORY: example, AUTH_TYPE: auth }) =>
      key === null && example === null && auth !== null,
    line:
      "No apps are read: set SHAID_PUBLIC_KEY and SHAID_SECRET_KEY, or EXAMPLE_DIRECTORY=true for made-up apps, or =false " +
      "for none",
  },
  { isDue: ({ PRIVATE_KEY_BITSIZE: size }) => size < 2048, line: "PRIVATE_KEY_BITSIZE is weak; use 2048 or more" },
];

/** Minimum length of the passphrase for containers that anybody may download and attack. */
const goodPassphrase = 20;

const exposure: readonly Advice[] = [
  {
    isDue: ({ MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: isEncrypted }) => !isEncrypted,
    line:
      "MODULE_CONFIG_ENCRYPT_CERT_BUNDLE=false: policy tables are public, and hold the private key of head units as " +
      "plain text",
  },
  {
    isDue: ({ APP_CERTIFICATE_GET: who }) => who === "public",
    line:
      "APP_CERTIFICATE_GET=public: anybody who reaches this server may fetch the container of any app, and one " +
      "passphrase opens them all",
  },
  {
    isDue: ({ CERTIFICATE_PASSPHRASE: passphrase }) => passphrase !== null && passphrase.length < goodPassphrase,
    line: `CERTIFICATE_PASSPHRASE is short; use ${goodPassphrase} characters or more`,
  },
];

const due = (all: readonly Advice[], values: Variables) =>
  all.flatMap(({ isDue, line }) => (isDue(values) ? [line] : []));

export function buildAdvice(values: Variables): string[] {
  const { dropped } = buildUsableConnection(values.MONGODB_URI ?? "");
  if (dropped.length === 0) return due(advice, values);
  const names = dropped.join(", ");
  const line = `MONGODB_URI: ${names} not used; this server reads from the primary and confirms every write`;
  return [...due(advice, values), line];
}

export function buildGenerationWarnings(
  values: Variables,
  generation: { readonly enabled: true } | { readonly enabled: false; readonly missing: readonly string[] },
): string[] {
  if (generation.enabled) return due(exposure, values);
  const { CA_PRIVATE_KEY_FILENAME: key, CA_CERTIFICATE_FILENAME: certificate } = values;
  const { CERTIFICATE_PASSPHRASE: passphrase, CERTIFICATE_COMMON_NAME: name } = values;
  if ([key, certificate, passphrase, name].every((value) => value === null)) return [];
  return [`No certificates are issued: set, or make readable in customizable/ca: ${generation.missing.join(", ")}`];
}
