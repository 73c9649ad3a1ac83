import { z } from "zod";
import { carBuilds, coreVersions } from "@/lib/vocabulary/head-units";
import {
  baseUrl,
  host,
  hostList,
  httpOrFileUrlOrOff,
  httpUrl,
  ipAddress,
  networkList,
  proxyUrl,
} from "@/lib/platform/settings/address-kinds";
import {
  choiceSetting,
  emailList,
  encryptionKey,
  fileName,
  flag,
  givenUpPolicy,
  headerList,
  headerName,
  integerSetting,
  matching,
  optionalFlag,
  orNull,
  port,
  roleMap,
  scopes,
  secret,
  sender,
  textSetting,
  timeZone,
  vehicleWorkers,
} from "@/lib/platform/settings/kinds";

const mongodbUri = /^mongodb(\+srv)?:\/\/[^/?\s]+(\/[^/?%\s]*)?(\?\S*)?$/;

export const defaultRpcSpecUrl = "https://raw.githubusercontent.com/smartdevicelink/rpc_spec/master/MOBILE_API.xml";

/** Kind, default and description of every setting. `.env.example` and `docs/settings.md` are generated from it. */
export const variables = z.object({
  POLICY_SERVER_HOST: host().default("localhost")
    .describe(`Public host name or IP address of this server, for policy tables and links. LISTEN_ADDRESS is what it
    listens on.`),
  POLICY_SERVER_PORT: port().default(3000).describe("HTTP port."),
  POLICY_SERVER_PORT_SSL: orNull(port())
    .describe(`HTTPS port, usually 443. If set, HTTPS is announced to vehicles. The HTTP port still answers vehicles,
    apps, webhooks and probes; it redirects pages to HTTPS and refuses administration.`),
  SSL_CERTIFICATE_FILENAME: orNull(fileName())
    .describe(`Certificate (PEM, may hold the chain) in customizable/ssl. Required with POLICY_SERVER_PORT_SSL. Read
    again when it changes.`),
  SSL_PRIVATE_KEY_FILENAME: orNull(fileName()).describe(
    `Private key (PEM) in customizable/ssl. Required with POLICY_SERVER_PORT_SSL. Read again when it changes.`,
  ),
  TLS_LEGACY_CIPHERS: flag(false).describe(
    "Also offer ciphers without forward secrecy or authenticated encryption, for old head units.",
  ),
  LISTEN_ADDRESS: orNull(ipAddress()).describe(
    "IP address to listen on. Not set: all addresses, or only 127.0.0.1 while AUTH_TYPE is not set.",
  ),
  DATA_DIR: z
    .string()
    .default("./data")
    .describe("Folder for everything the server writes: embedded database, compiled policies, bundles."),
  PUBLIC_BASE_URL: orNull(baseUrl()).describe(
    "Address announced to vehicles if it differs from host and port, e.g. behind a proxy. No slash at the end.",
  ),
  TRUST_PROXY_ADDRESSES: networkList()
    .describe(`Addresses and networks of the proxies in front, comma-separated, e.g. 10.0.0.7,fd00::/8. Only from them
    X-Forwarded-For, -Proto and -Host count. Failed logins are counted per client address: without this, all clients
    behind a proxy count as one.`),

  HTTPS_PROXY: secret(proxyUrl())
    .describe(`Proxy for outgoing requests to https addresses, e.g. http://user:password@proxy.example.com:3128. Mail
    and database do not use it. https_proxy also works, and takes precedence.`),
  HTTP_PROXY: secret(proxyUrl()).describe(
    "Proxy for outgoing requests to http addresses. http_proxy also works, and takes precedence.",
  ),
  NO_PROXY: hostList()
    .describe(`Addresses to reach without a proxy, comma-separated: hosts with all names below them, addresses,
    networks, or * for all, e.g. example.com,10.0.0.0/8,collector:4318. This machine is always reached directly.`),

  VEHICLE_WORKERS: orNull(vehicleWorkers())
    .describe(`Number of processes that answer vehicles, 1 to 64, or auto: one less than the number of cores. Not set:
    2, or 1 on one core.`),
  DRAIN_SECONDS: orNull(integerSetting(0, 300))
    .describe(`Seconds between a failing readiness probe and the end of listening when the server stops, 0 to 300, so
    that a proxy in front sends nothing new. Not set: 5, or 0 in development.`),

  MONGODB_URI: secret(matching(mongodbUri, "must have the form mongodb://host/database or mongodb+srv://host/database"))
    .describe(`MongoDB 7 or 8 as a replica set (one node is enough) or Atlas, e.g.
    mongodb://127.0.0.1:27017/policy_server?replicaSet=rs0, with options such as maxPoolSize (10) and
    serverSelectionTimeoutMS (5000). Not set: the embedded database in DATA_DIR, for trying out and tests, not for
    production.`),
  ACCEPT_EMPTY_DATABASE: orNull(givenUpPolicy())
    .describe(`If the database is not the one that the last policy came from, vehicles keep that policy and nothing is
    stored. If it is the right database, set this to the value in the log. This gives up only that policy, not a later
    one.`),

  SHAID_PUBLIC_KEY: orNull(textSetting(1)).describe(
    "Public key of the app directory; webhooks must present it. Set both keys or none.",
  ),
  SHAID_SECRET_KEY: secret(textSetting(1)).describe("Secret key of the app directory."),
  SHAID_URL: httpUrl().default("https://shaid.smartdevicelink.com").describe("Base address of the app directory."),
  RPC_SPEC_URL: httpOrFileUrlOrOff().default(defaultRpcSpecUrl)
    .describe(`RPC specification, read at the start and once a day for languages and vehicle data. Without the internet,
    a copy, e.g. file:///srv/MOBILE_API.xml, or off: not read, without an alert; the server keeps what it has. The
    example directory serves its own copy, used unless you set another value.`),
  EXAMPLE_DIRECTORY: optionalFlag()
    .describe(`Without keys: true reads made-up apps from the built-in example directory. false reads no apps,
    permissions, service types or categories, and refuses webhooks. Not set: true while AUTH_TYPE is not set, else
    false.`),

  AUTH_TYPE: orNull(choiceSetting(["basic", "oidc", "none"]))
    .describe(`basic: one password protects console and administration API. oidc: people sign in at your identity
    provider, see docs/sign-in.md. none: open on any address. Not set: open, but only on this machine.`),
  BASIC_AUTH_PASSWORD: secret(textSetting(1))
    .describe(`The password, required with AUTH_TYPE=basic: 12 characters or more unless LISTEN_ADDRESS is a loopback
    address. With AUTH_TYPE=oidc it is for emergencies; each use gives a warning and an audit event.`),
  SESSION_SECRET: secret(textSetting(32))
    .describe(`Seals session cookies, at least 32 characters. Not set: generated and kept in DATA_DIR/session-secret.
    Use the same value on all machines. A new value, like a new password, ends every session.`),
  AUDIT_KEY: secret(textSetting(32))
    .describe(`Seals the audit trail, at least 32 characters. Not set: generated and kept in DATA_DIR/audit-key. Use the
    same value on all machines that share a database, and keep it: with a different key the server does not start.`),
  ACCEPT_AUDIT_KEY: orNull(textSetting(1))
    .describe(`If the key that has sealed the audit trail is lost, set this to its id, which the refusal to start names.
    The trail is then sealed again as it is, which is an event. Later keys are not given up.`),
  SESSION_IDLE_MINUTES: integerSetting(5, 720)
    .default(120)
    .describe("Minutes after which an idle session ends, 5 to 720. Every session ends 12 hours after login."),
  AUTH_USER_HEADER: orNull(headerName())
    .describe(`Request header in which a proxy in front names the user it has authenticated, e.g. X-Forwarded-User.
    Needs TRUST_PROXY_ADDRESSES. The name goes into the audit trail as verified; it does not grant access. The proxy
    must replace the header in every request, and names must not contain commas.`),
  AUTH_ROLES_HEADER: orNull(headerName())
    .describe(`Request header in which the same proxy names the user's groups, separated by semicolons. OIDC_ROLES maps
    them to roles. It grants access. Needs AUTH_TYPE=basic or oidc.`),
  AUTH_USER_ID_CLAIM: orNull(textSetting(1, 200))
    .describe(`Claim that holds the name the proxy sends, e.g. email. Required if AUTH_USER_HEADER is set with
    AUTH_TYPE=oidc, so that somebody who signs in both ways counts as one person.`),
  OIDC_ISSUER: orNull(httpUrl()).describe("With AUTH_TYPE=oidc: address of the identity provider (https)."),
  OIDC_CLIENT_ID: orNull(textSetting(1)).describe("This server's client id at the identity provider."),
  OIDC_CLIENT_SECRET: secret(textSetting(1)).describe("This server's client secret at the identity provider."),
  OIDC_SCOPES: scopes()
    .default("openid profile email")
    .describe("Scopes to request. Some providers give refresh tokens only with offline_access."),
  OIDC_ROLE_CLAIM: textSetting(1, 200)
    .default("groups")
    .describe("Claim that holds a person's groups. Dots address members of objects, e.g. realm_access.roles"),
  OIDC_ROLES: orNull(roleMap()).describe(
    "Groups of each role, e.g. viewer=staff;editor=policy-team;publisher=policy-leads;admin=operators",
  ),

  HEAD_UNITS: choiceSetting(["both", ...carBuilds]).default("both")
    .describe(`Builds of the head units in your cars: regular (PROPRIETARY, HTTP), external (EXTERNAL_PROPRIETARY) or
    both. They read an app's groups differently; the console shows and checks what all of them allow.`),
  OLDEST_HEAD_UNIT: choiceSetting(coreVersions).default("4.5")
    .describe(`Oldest SDL Core version in your cars: 4.5, 5.1 (also for 5.0), 6.1, 7.1 or 8.2. Older ones get no
    warnings.`),

  PUBLISH_APPROVALS: choiceSetting(["none", "releases", "all"]).default("none")
    .describe(`releases: publications and rollbacks wait until another verified person with the role publisher approves
    them. all: so does approving an app for production, which rules out AUTO_APPROVE_ALL_APPS. Blocking an app never
    waits. Needs AUTH_TYPE=oidc or AUTH_ROLES_HEADER.`),
  AUTO_APPROVE_ALL_APPS: flag(false).describe(
    "Approve every new app version from the directory, except for blocked apps.",
  ),
  ENCRYPTION_REQUIRED: flag(false).describe("Require RPC encryption for automatically approved versions."),

  CA_PRIVATE_KEY_FILENAME: orNull(fileName())
    .describe(`Private key (PEM) of your certificate authority in customizable/ca. Certificates are issued once this,
    CA_CERTIFICATE_FILENAME, CERTIFICATE_PASSPHRASE and CERTIFICATE_COMMON_NAME are set and both files can be read.`),
  CA_CERTIFICATE_FILENAME: orNull(fileName()).describe("Certificate (PEM) of the authority in customizable/ca."),
  CERTIFICATE_PASSPHRASE: secret(textSetting(1))
    .describe(`Protects every pkcs12 container. Anybody may fetch containers, so use 20 characters or more. After a
    change, stored containers cannot be read until they are renewed.`),
  CA_PASSPHRASE: secret(textSetting(1)).describe(
    "Opens the authority's key if it is encrypted. Not set: CERTIFICATE_PASSPHRASE.",
  ),
  CERTIFICATE_COMMON_NAME: orNull(textSetting(1, 64)).describe("Common name of issued certificates."),
  CERTIFICATE_COUNTRY: orNull(matching(/^[A-Za-z]{2}$/, "must be two letters")).describe(
    "Country (two letters) of issued certificates.",
  ),
  CERTIFICATE_STATE: orNull(textSetting(1, 128)).describe("State of issued certificates."),
  CERTIFICATE_LOCALITY: orNull(textSetting(1, 128)).describe("Locality of issued certificates."),
  CERTIFICATE_ORGANIZATION: orNull(textSetting(1, 64)).describe("Organization of issued certificates."),
  CERTIFICATE_ORGANIZATION_UNIT: orNull(textSetting(1, 64)).describe("Organizational unit of issued certificates."),
  CERTIFICATE_EMAIL_ADDRESS: orNull(textSetting(1, 128)).describe("Email address of issued certificates."),
  CERTIFICATE_HASH: choiceSetting(["sha256", "sha384", "sha512"])
    .default("sha256")
    .describe("Signature hash: sha256, sha384 or sha512."),
  CERTIFICATE_DAYS: integerSetting(1, 3650).default(7)
    .describe(`Lifetime of issued certificates in days, 1 to 3650. They are renewed when a third of it is left, but at
    least one day and at most seven days before they expire.`),
  PRIVATE_KEY_BITSIZE: integerSetting(1024, 8192)
    .default(2048)
    .describe("Size of RSA keys, 1024 to 8192. Use 2048 or more."),
  PRIVATE_KEY_CIPHER: z.string().default("des3").describe("Accepted from older installations; has no effect."),
  MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: flag(false)
    .describe(`true: the module config's certificate and key go into policy tables as a Base64 pkcs12 container, which
    head units in PROPRIETARY or HTTP mode cannot read: they need PEM. false: as PEM text. Policy tables are public, so
    with false anybody who reaches this server gets the private key.`),
  KEY_ENCRYPTION_KEY: secret(encryptionKey())
    .describe(`Encrypts private keys of the module config in the database and on disk: 32 bytes in Base64 (openssl rand
    -base64 32) or hexadecimal. Stored keys are encrypted at the next start. Use the same value on all machines; without
    it the keys cannot be read.`),
  APP_CERTIFICATE_GET: choiceSetting(["public", "admin", "off"])
    .default("public")
    .describe("Who may fetch app containers: public (apps fetch their own), admin (administrators) or off (nobody)."),

  SMTP_HOST: orNull(host())
    .describe(`Mail server. Mail is sent once this, SMTP_FROM, NOTIFY_APP_REVIEW_FREQUENCY and NOTIFY_APP_REVIEW_EMAILS
    are set. Node.js must trust its certificate: for your own authority, set NODE_EXTRA_CA_CERTS in the environment.`),
  SMTP_PORT: port()
    .default(25)
    .describe(
      "Port of the mail server. 465: TLS from the first byte. Others: TLS if offered, and required with a login.",
    ),
  SMTP_USERNAME: orNull(textSetting(1)).describe("User name at the mail server, if it needs one."),
  SMTP_PASSWORD: secret(textSetting(1)).describe("Password at the mail server."),
  SMTP_FROM: orNull(sender()).describe("Sender: an address, or Name <address>."),
  NOTIFY_APP_REVIEW_FREQUENCY: z
    .string()
    .toUpperCase()
    .pipe(choiceSetting(["DISABLED", "REALTIME"]))
    .default("DISABLED")
    .describe("REALTIME sends a mail when new app versions wait for review; versions within a minute share one mail."),
  NOTIFY_APP_REVIEW_EMAILS: emailList().describe("Recipients, comma-separated."),

  BUNDLE_HANDLER: choiceSetting(["none", "local", "s3"]).default("none")
    .describe(`Where copies of embedded app packages are kept: none, local (DATA_DIR/bundles, served at /bundles) or s3
    (BUCKET_NAME, AWS_REGION). See docs/bundles.md.`),
  BUNDLE_ALLOW_PRIVATE: flag(false).describe(
    "Allow package addresses on private networks and this machine, and plain http, for tests.",
  ),
  BUCKET_NAME: orNull(textSetting(1)).describe("Bucket for s3. Credentials come from the provider's usual places."),
  AWS_REGION: orNull(textSetting(1)).describe("Region of the bucket."),

  FLEET_STATISTICS: choiceSetting(["off", "requests", "usage"]).default("requests")
    .describe(`What is counted of the requests of vehicles: requests (answers, apps, releases, head units, phones), usage
    (also how apps are used and what drivers allow) or off. Only counts are kept, see docs/fleet.md.`),
  FLEET_SAMPLE_PER_SECOND: integerSetting(1, 10_000).default(50)
    .describe(`How many requests a second each vehicle worker reads for the statistics at most, 1 to 10000, evenly spread.
    All are answered first.`),

  NODE_ENV: choiceSetting(["production", "development", "test", "staging"])
    .default("development")
    .describe('production, development, test or staging. "npm start" sets production, "npm run dev" development.'),
  LOG_LEVEL: orNull(choiceSetting(["error", "warn", "info", "debug"]))
    .describe(`error, warn, info or debug. Log lines are JSON on standard output. Of answers to vehicles, refusals and 1
    of 1,000 others are logged; with debug, all. The same share is traced. Not set: info, or warn while "npm start" runs
    with the example directory.`),
  OTEL_EXPORTER_OTLP_ENDPOINT: orNull(httpUrl()).describe(
    "OpenTelemetry collector for OTLP over HTTP, e.g. http://collector:4318. Not set: no traces.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headerList()
    .meta({ isSecret: true })
    .describe("Headers for the collector, e.g. a key: name=value,name=value with percent-encoded values."),
  METRICS_TOKEN: secret(textSetting(32))
    .describe(`Token for GET /metrics ("Authorization: Bearer <token>") and nothing else, so that monitoring needs no
    password; at least 32 characters.`),
  POLICY_CRYPTO_MODULE: orNull(matching(/\.[cm]?js$/, "must name a .js, .mjs or .cjs file"))
    .describe(`JavaScript module inside the project for head units with their own table encryption. It exports
    decryptPolicyTable(value, environment) and encryptPolicyTable(data, environment).`),
  BACKUP_DIR: orNull(textSetting(1))
    .describe(`Folder for a backup every night and a restore drill with it; backups of 14 days are kept. Not set: none. With
    several instances, a folder that they share.`),
  AUDIT_RETENTION_DAYS: orNull(integerSetting(1, 36_500)).describe(
    "Days after which audit events are deleted. Not set: never.",
  ),
  TZ: orNull(timeZone()).describe("Time zone of the daily tasks, e.g. Europe/Berlin. Not set: that of the machine."),
});

export type Variables = z.output<typeof variables>;
export type VariableName = keyof Variables;
export const variableNames = variables.keyof().options;

export const secretVariables = variableNames.filter((name) => z.globalRegistry.get(variables.shape[name])?.isSecret);

/** The secrets that each process needs (rule E11). `main` checks all of them, and the console uses all. */
export const secretsOf = {
  "vehicle-worker": [
    "MONGODB_URI",
    "KEY_ENCRYPTION_KEY",
    "CERTIFICATE_PASSPHRASE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "OTEL_EXPORTER_OTLP_HEADERS",
  ],
  database: [],
  console: secretVariables,
} as const satisfies Readonly<Record<string, readonly VariableName[]>>;
