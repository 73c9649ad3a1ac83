import { z } from "zod";
import { carBuilds, coreVersions } from "@/lib/labels/head-units";
import { roleMap, scopes } from "@/lib/platform/settings/access-kinds";
import {
  baseUrl,
  host,
  hostList,
  httpUrl,
  ipAddress,
  networkList,
  proxyUrl,
} from "@/lib/platform/settings/address-kinds";
import { givenUpPolicy } from "@/lib/platform/settings/given-up-policy";
import {
  emailList,
  encryptionKey,
  fileName,
  flag,
  headerList,
  headerName,
  integer,
  vehicleWorkers,
  oneOf,
  orNull,
  sender,
  share,
  text,
  timeZone,
} from "@/lib/platform/settings/kinds";

const port = () => integer(1, 65_535);
/** Host part, then perhaps the database name, then perhaps options. */
const mongodbUri = /^mongodb(\+srv)?:\/\/[^/?\s]+(\/[^/?%\s]*)?(\?\S*)?$/;

export const defaultRpcSpecUrl = "https://raw.githubusercontent.com/smartdevicelink/rpc_spec/master/MOBILE_API.xml";

/** Every setting with its range and default; `.env.example` explains them. */
export const variables = z.object({
  // Server and TLS
  POLICY_SERVER_HOST: host().default("localhost"),
  POLICY_SERVER_PORT: port().default(3000),
  POLICY_SERVER_PORT_SSL: orNull(port()),
  SSL_CERTIFICATE_FILENAME: orNull(fileName()),
  SSL_PRIVATE_KEY_FILENAME: orNull(fileName()),
  TLS_LEGACY_CIPHERS: flag(false),
  LISTEN_ADDRESS: orNull(ipAddress()),
  DATA_DIR: z.string().default("./data"),
  PUBLIC_BASE_URL: orNull(baseUrl()),
  TRUST_PROXY: integer(0, 10).default(0),
  TRUST_PROXY_ADDRESSES: networkList(),

  // Proxies for what this server asks others for
  HTTPS_PROXY: orNull(proxyUrl()),
  HTTP_PROXY: orNull(proxyUrl()),
  NO_PROXY: hostList(),

  // Processes
  VEHICLE_WORKERS: orNull(vehicleWorkers()),
  VEHICLE_WORKER_MEMORY_MB: integer(256, 1_048_576).default(1024),
  MAX_BODIES_PER_ADDRESS: integer(0, 1_000_000).default(64),
  CONSOLE_MAX_REQUESTS: integer(1, 1000).default(64),
  DRAIN_SECONDS: orNull(integer(0, 300)),

  // Database
  MONGODB_URI: orNull(
    z
      .string()
      .regex(mongodbUri, { error: "must have the form mongodb://host/database or mongodb+srv://host/database" }),
  ),
  MONGODB_DB: orNull(
    z.string().regex(/^[^/\\. "$*<>:|?\0]{1,63}$/, {
      error: 'must be a database name: 1 to 63 characters, none of / \\ . " $ * < > : | ? or blank',
    }),
  ),
  MONGODB_MAX_POOL: integer(1, 500).default(10),
  MONGODB_TIMEOUT_MS: integer(500, 60_000).default(5000),
  ACCEPT_EMPTY_DATABASE: orNull(givenUpPolicy()),

  // App directory and RPC specification
  SHAID_PUBLIC_KEY: orNull(text(1)),
  SHAID_SECRET_KEY: orNull(text(1)),
  SHAID_URL: httpUrl().default("https://shaid.smartdevicelink.com"),
  RPC_SPEC_URL: httpUrl().default(defaultRpcSpecUrl),
  EXAMPLE_DIRECTORY: flag(true),

  // Authentication
  AUTH_TYPE: orNull(oneOf(["basic", "oidc", "none"])),
  BASIC_AUTH_PASSWORD: orNull(text(1)),
  SESSION_SECRET: orNull(text(32)),
  AUDIT_KEY: orNull(text(32)),
  SESSION_IDLE_MINUTES: integer(5, 720).default(120),
  AUTH_USER_HEADER: orNull(headerName()),
  AUTH_ROLES_HEADER: orNull(headerName()),
  AUTH_USER_ID_CLAIM: orNull(text(1, 200)),
  OIDC_ISSUER: orNull(httpUrl()),
  OIDC_CLIENT_ID: orNull(text(1)),
  OIDC_CLIENT_SECRET: orNull(text(1)),
  OIDC_SCOPES: scopes().default("openid profile email"),
  OIDC_ROLE_CLAIM: text(1, 200).default("groups"),
  OIDC_ROLES: roleMap(),

  // Head units
  HEAD_UNITS: oneOf(["both", ...carBuilds]).default("both"),
  OLDEST_HEAD_UNIT: oneOf(coreVersions).default("4.5"),

  // Second person
  PUBLISH_APPROVALS: integer(0, 1).default(0),
  PUBLISH_APPROVALS_APPS: flag(false),

  // Approval defaults
  AUTO_APPROVE_ALL_APPS: flag(false),
  ENCRYPTION_REQUIRED: flag(false),

  // Certificates
  CA_PRIVATE_KEY_FILENAME: orNull(fileName()),
  CA_CERTIFICATE_FILENAME: orNull(fileName()),
  CERTIFICATE_PASSPHRASE: orNull(text(1)),
  CA_PASSPHRASE: orNull(text(1)),
  CERTIFICATE_COMMON_NAME: orNull(text(1, 64)),
  CERTIFICATE_COUNTRY: orNull(z.string().regex(/^[A-Za-z]{2}$/, { error: "must be two letters" })),
  CERTIFICATE_STATE: orNull(text(1, 128)),
  CERTIFICATE_LOCALITY: orNull(text(1, 128)),
  CERTIFICATE_ORGANIZATION: orNull(text(1, 64)),
  CERTIFICATE_ORGANIZATION_UNIT: orNull(text(1, 64)),
  CERTIFICATE_EMAIL_ADDRESS: orNull(text(1, 128)),
  CERTIFICATE_HASH: oneOf(["sha256", "sha384", "sha512"]).default("sha256"),
  CERTIFICATE_DAYS: integer(1, 3650).default(7),
  PRIVATE_KEY_BITSIZE: integer(1024, 8192).default(2048),
  PRIVATE_KEY_CIPHER: z.string().default("des3"),
  MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: flag(false),
  KEY_ENCRYPTION_KEY: orNull(encryptionKey()),
  APP_CERTIFICATE_GET: oneOf(["public", "admin", "off"]).default("public"),
  APP_CERTIFICATE_GET_PER_MINUTE: integer(1, 1_000_000).default(300),

  // E-mail
  SMTP_HOST: orNull(host()),
  SMTP_PORT: port().default(25),
  SMTP_USERNAME: orNull(text(1)),
  SMTP_PASSWORD: orNull(text(1)),
  SMTP_FROM: orNull(sender()),
  NOTIFY_APP_REVIEW_FREQUENCY: z
    .string()
    .toUpperCase()
    .pipe(oneOf(["DISABLED", "REALTIME"]))
    .default("DISABLED"),
  NOTIFY_APP_REVIEW_EMAILS: emailList(),

  // Embedded app bundles
  BUNDLE_HANDLER: oneOf(["none", "local", "s3"]).default("none"),
  BUNDLE_DIR: orNull(text(1)),
  BUNDLE_MAX_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(268_435_456),
  BUNDLE_ALLOW_HTTP: flag(false),
  BUNDLE_ALLOW_PRIVATE: flag(false),
  BUCKET_NAME: orNull(text(1)),
  AWS_REGION: orNull(text(1)),

  // Logging and various
  NODE_ENV: oneOf(["production", "development", "test", "staging"]).default("development"),
  METRICS_TOKEN: orNull(text(32)),
  METRICS_PORT: orNull(integer(1, 65_535)),
  METRICS_ADDRESS: ipAddress().default("127.0.0.1"),
  LOG_LEVEL: oneOf(["error", "warn", "info", "debug"]).default("info"),
  LOG_VEHICLES: oneOf(["errors", "sample", "all"]).default("sample"),
  OTEL_EXPORTER_OTLP_ENDPOINT: orNull(httpUrl()),
  OTEL_EXPORTER_OTLP_HEADERS: headerList(),
  OTEL_SERVICE_NAME: text(1, 200).default("open-policy-server"),
  OTEL_TRACES_SAMPLER_ARG: share().default(0.001),
  POLICY_CRYPTO_MODULE: orNull(z.string().regex(/\.[cm]?js$/, { error: "must name a .js, .mjs or .cjs file" })),
  UPDATE_CHECK_URL: orNull(httpUrl()),
  SCHEDULE_ENABLED: flag(true),
  BACKUP_DIR: orNull(text(1)),
  BACKUP_KEEP: integer(1, 3650).default(14),
  AUDIT_RETENTION_DAYS: orNull(integer(1, 36_500)),
  TZ: orNull(timeZone()),
});

export type Variables = z.output<typeof variables>;
export type VariableName = keyof Variables;
export const variableNames = variables.keyof().options;

/** Rule E5: never logged, never sent anywhere. */
export const secretVariables = [
  "MONGODB_URI",
  "SHAID_SECRET_KEY",
  "BASIC_AUTH_PASSWORD",
  "SESSION_SECRET",
  "AUDIT_KEY",
  "OIDC_CLIENT_SECRET",
  "CERTIFICATE_PASSPHRASE",
  "CA_PASSPHRASE",
  "SMTP_PASSWORD",
  "KEY_ENCRYPTION_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
] as const satisfies readonly VariableName[];
