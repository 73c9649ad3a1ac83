import { isProxyExemption } from "@/lib/platform/settings/address-kinds";
import type { Settings } from "@/lib/platform/settings/build";
import { minPasswordLength } from "@/lib/platform/settings/checks";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";
import { requiresSignIn } from "@/lib/platform/settings/kinds";
import { announcesPlainHttp, phonesAskByHttps } from "@/lib/vocabulary/phones";
import type { Variables } from "@/lib/platform/settings/variables";

const postgres = (prefix: string) =>
  ["USER", "PASSWORD", "HOST", "PORT", "DATABASE"].map((part) => `${prefix}_${part}`);

export const foreignDatabaseNames: readonly string[] = postgres("DB");

/** Settings of older servers without effect here (`settings.md` sections 9 and 12): one line per group. */
const obsolete: readonly (readonly [names: readonly string[], now: string])[] = [
  [foreignDatabaseNames, "this server stores its data in MongoDB: set MONGODB_URI. They are not turned into one"],
  [postgres("STAGING_PG"), "ignored"],
  [postgres("PRODUCTION_PG"), "ignored"],
  [postgres("TEST_PG"), "ignored; tests use their own database"],
  [
    ["CACHE_MODULE", "CACHE_HOST", "CACHE_PORT", "CACHE_PASSWORD"],
    "ignored; compiled policies live in memory and there is no cache to configure",
  ],
  [["LOG_MODULE"], "ignored; log lines are JSON on the standard output, see LOG_LEVEL"],
  [["TRUST_PROXY"], "set TRUST_PROXY_ADDRESSES"],
  [["MONGODB_MAX_POOL"], "set maxPoolSize in MONGODB_URI"],
  [["MONGODB_TIMEOUT_MS"], "set serverSelectionTimeoutMS in MONGODB_URI"],
  [["RPC_SPEC_FILE"], "set RPC_SPEC_URL=file:///path"],
  [["PUBLISH_APPROVALS_APPS"], "set PUBLISH_APPROVALS=all"],
  [["BUNDLE_ALLOW_HTTP"], "set BUNDLE_ALLOW_PRIVATE"],
  [["METRICS_PORT", "METRICS_ADDRESS"], "set METRICS_TOKEN"],
  [["LOG_VEHICLES", "OTEL_TRACES_SAMPLER_ARG"], "LOG_LEVEL=debug logs and traces every vehicle request"],
  [
    [
      ...["APP_CERTIFICATE_GET_PER_MINUTE", "BACKUP_KEEP", "BUNDLE_MAX_BYTES", "CONSOLE_MAX_REQUESTS"],
      ...["MAX_BODIES_PER_ADDRESS", "OTEL_SERVICE_NAME", "SCHEDULE_ENABLED", "UPDATE_CHECK_URL"],
      "VEHICLE_WORKER_MEMORY_MB",
    ],
    "ignored; the value is fixed, see docs/spec/settings.md",
  ],
  [["RUN_STATE", "OVERRIDE_ENTRY_POINT", "VUE_APP_AUTH_TYPE"], "ignored"],
];

/** Settings of older versions of this server that must not be ignored: another database or folder would be used. */
export const moved: readonly (readonly [string, string])[] = [
  ["MONGODB_DB", "must not be set: MONGODB_URI names the database"],
  ["BUNDLE_DIR", "must not be set: bundles are in the folder bundles of DATA_DIR"],
];

/** Minimum length of the passphrase for containers that anybody may download and attack. */
const goodPassphrase = 20;

/** Lines for the operator. They name settings, and never their values. */
export function* findWarnings(
  env: Readonly<Record<string, string>>,
  set: Variables,
  settings: Settings,
): Generator<string> {
  for (const [names, now] of obsolete) {
    const found = names.filter((name) => name in env);
    if (found.length > 0) yield `${found.join(", ")}: no longer applicable; ${now}`;
  }
  const { AUTH_TYPE: auth, BASIC_AUTH_PASSWORD: password, MONGODB_URI: uri } = set;
  if (auth === "none")
    yield "AUTH_TYPE=none: the console and the whole API are open to everyone who can reach this server";
  if (requiresSignIn(auth) && password !== null && password.length < minPasswordLength)
    yield `BASIC_AUTH_PASSWORD is short; use ${minPasswordLength} characters or more`;
  if (set.AUTH_USER_ID_CLAIM !== null && (auth !== "oidc" || set.AUTH_USER_HEADER === null))
    yield "AUTH_USER_ID_CLAIM has no effect without AUTH_TYPE=oidc and AUTH_USER_HEADER";
  if (set.BUNDLE_HANDLER !== "s3" && set.BUCKET_NAME !== null)
    yield "BUCKET_NAME has no effect while BUNDLE_HANDLER is not s3: app packages are not kept in the bucket";
  if (!set.NO_PROXY.every(isProxyExemption))
    yield "NO_PROXY has entries without effect: they are neither a host, nor an address or network, nor *";
  if (set.SHAID_PUBLIC_KEY === null && set.EXAMPLE_DIRECTORY === null && auth !== null) {
    yield (
      "No apps are read: set SHAID_PUBLIC_KEY and SHAID_SECRET_KEY, or EXAMPLE_DIRECTORY=true for made-up apps, or " +
      "=false for none"
    );
  }
  if (set.PRIVATE_KEY_BITSIZE < 2048) yield "PRIVATE_KEY_BITSIZE is weak; use 2048 or more";
  const unused = buildUsableConnection(uri ?? "").dropped.join(", ");
  if (unused !== "")
    yield `MONGODB_URI: ${unused} not used; this server reads from the primary and confirms every write`;
  if (announcesPlainHttp(settings.publicBaseUrl)) {
    const what =
      set.PUBLIC_BASE_URL === null
        ? "Without PUBLIC_BASE_URL the address that vehicles are told begins"
        : "PUBLIC_BASE_URL begins";
    yield `${what} with http://. ${phonesAskByHttps}`;
  }
  yield* findCertificateWarnings(set, settings.certificateGeneration);
}

function* findCertificateWarnings(set: Variables, generation: Settings["certificateGeneration"]): Generator<string> {
  const { CERTIFICATE_PASSPHRASE: passphrase } = set;
  if (!generation.enabled) {
    const names = [set.CA_PRIVATE_KEY_FILENAME, set.CA_CERTIFICATE_FILENAME, passphrase, set.CERTIFICATE_COMMON_NAME];
    if (names.some((value) => value !== null))
      yield `No certificates are issued: set, or make readable in customizable/ca: ${generation.missing.join(", ")}`;
    return;
  }
  if (!set.MODULE_CONFIG_ENCRYPT_CERT_BUNDLE) {
    yield (
      "MODULE_CONFIG_ENCRYPT_CERT_BUNDLE=false: policy tables are public, and hold the private key of head units as " +
      "plain text"
    );
  }
  if (set.APP_CERTIFICATE_GET === "public") {
    yield (
      "APP_CERTIFICATE_GET=public: anybody who reaches this server may fetch the container of any app, and one " +
      "passphrase opens them all"
    );
  }
  if (passphrase !== null && passphrase.length < goodPassphrase)
    yield `CERTIFICATE_PASSPHRASE is short; use ${goodPassphrase} characters or more`;
}
