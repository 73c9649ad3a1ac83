import { z } from "zod";
import {
  baseUrl,
  host,
  hostList,
  httpUrl,
  httpOrFileUrlOrOff,
  ipAddress,
  networkList,
  proxyUrl,
} from "@/lib/platform/settings/address-kinds";
import {
  fileName,
  flag,
  givenUpPolicy,
  headerList,
  integerSetting,
  choiceSetting,
  optionalFlag,
  orNull,
  port,
  secret,
  textSetting,
  timeZone,
  vehicleWorkers,
} from "@/lib/platform/settings/kinds";

const mongodbUri = /^mongodb(\+srv)?:\/\/[^/?\s]+(\/[^/?%\s]*)?(\?\S*)?$/;

export const defaultRpcSpecUrl = "https://raw.githubusercontent.com/smartdevicelink/rpc_spec/master/MOBILE_API.xml";

export const serverSettings = {
  "Server and TLS": {
    POLICY_SERVER_HOST: host()
      .default("localhost")
      .describe(
        `Public host name or IP address of this server, for policy tables and links. LISTEN_ADDRESS is what it listens
        on.`,
      ),
    POLICY_SERVER_PORT: port().default(3000).describe("HTTP port."),
    POLICY_SERVER_PORT_SSL: orNull(port()).describe(
      `HTTPS port, usually 443. If set, HTTPS is announced to vehicles. The HTTP port still answers vehicles, apps,
      webhooks and probes; it redirects pages to HTTPS and refuses administration.`,
    ),
    SSL_CERTIFICATE_FILENAME: orNull(fileName()).describe(
      `Certificate (PEM, may hold the chain) in customizable/ssl. Required with POLICY_SERVER_PORT_SSL. Read again when
      it changes.`,
    ),
    SSL_PRIVATE_KEY_FILENAME: orNull(fileName()).describe(
      "Private key (PEM) in customizable/ssl. Required with POLICY_SERVER_PORT_SSL. Read again when it changes.",
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
    TRUST_PROXY_ADDRESSES: networkList().describe(
      `Addresses and networks of the proxies in front, comma-separated, e.g. 10.0.0.7,fd00::/8. Only from them
      X-Forwarded-For, -Proto and -Host count. Failed logins are counted per client address: without this, all clients
      behind a proxy count as one.`,
    ),
  },

  "Outgoing proxies": {
    HTTPS_PROXY: secret(
      orNull(proxyUrl()),
      `Proxy for outgoing requests to https addresses, e.g. http://user:password@proxy.example.com:3128. Mail and
      database do not use it. https_proxy also works, and takes precedence.`,
    ),
    HTTP_PROXY: secret(
      orNull(proxyUrl()),
      "Proxy for outgoing requests to http addresses. http_proxy also works, and takes precedence.",
    ),
    NO_PROXY: hostList().describe(
      `Addresses to reach without a proxy, comma-separated: hosts with all names below them, addresses, networks, or *
      for all, e.g. example.com,10.0.0.0/8,collector:4318. This machine is always reached directly.`,
    ),
  },

  Processes: {
    VEHICLE_WORKERS: orNull(vehicleWorkers()).describe(
      `Number of processes that answer vehicles, 1 to 64, or auto: one less than the number of cores. Not set: 2, or 1 on
      one core.`,
    ),
    DRAIN_SECONDS: orNull(integerSetting(0, 300)).describe(
      `Seconds between a failing readiness probe and the end of listening when the server stops, 0 to 300, so that a
      proxy in front sends nothing new. Not set: 5, or 0 in development.`,
    ),
  },

  Database: {
    MONGODB_URI: secret(
      orNull(
        z
          .string()
          .regex(mongodbUri, { error: "must have the form mongodb://host/database or mongodb+srv://host/database" }),
      ),
      `MongoDB 7 or 8 as a replica set (one node is enough) or Atlas, e.g.
      mongodb://127.0.0.1:27017/policy_server?replicaSet=rs0, with options such as maxPoolSize (10) and
      serverSelectionTimeoutMS (5000). Not set: the embedded database in DATA_DIR, for trying out and tests, not for
      production.`,
    ),
    ACCEPT_EMPTY_DATABASE: orNull(givenUpPolicy()).describe(
      `If the database is not the one that the last policy came from, vehicles keep that policy and nothing is stored.
      If it is the right database, set this to the value in the log. This gives up only that policy, not a later one.`,
    ),
  },

  "App directory and RPC specification": {
    SHAID_PUBLIC_KEY: orNull(textSetting(1)).describe(
      "Public key of the app directory; webhooks must present it. Set both keys or none.",
    ),
    SHAID_SECRET_KEY: secret(orNull(textSetting(1)), "Secret key of the app directory."),
    SHAID_URL: httpUrl().default("https://shaid.smartdevicelink.com").describe("Base address of the app directory."),
    RPC_SPEC_URL: httpOrFileUrlOrOff()
      .default(defaultRpcSpecUrl)
      .describe(
        `RPC specification, read at the start and once a day for languages and vehicle data. Without the internet, a copy,
        e.g. file:///srv/MOBILE_API.xml, or off: not read, without an alert; the server keeps what it has. The example directory serves its own copy, used unless you set another
        value.`,
      ),
    EXAMPLE_DIRECTORY: optionalFlag().describe(
      `Without keys: true reads made-up apps from the built-in example directory. false reads no apps, permissions,
      service types or categories, and refuses webhooks. Not set: true while AUTH_TYPE is not set, else false.`,
    ),
  },

  "Logging and operations": {
    NODE_ENV: choiceSetting(["production", "development", "test", "staging"])
      .default("development")
      .describe('production, development, test or staging. "npm start" sets production, "npm run dev" development.'),
    LOG_LEVEL: choiceSetting(["error", "warn", "info", "debug"])
      .default("info")
      .describe(
        `error, warn, info or debug. Log lines are JSON on standard output. Of answers to vehicles, refusals and 1 of
        1,000 others are logged; with debug, all. The same share is traced.`,
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: orNull(httpUrl()).describe(
      "OpenTelemetry collector for OTLP over HTTP, e.g. http://collector:4318. Not set: no traces.",
    ),
    OTEL_EXPORTER_OTLP_HEADERS: secret(
      headerList(),
      "Headers for the collector, e.g. a key: name=value,name=value with percent-encoded values.",
    ),
    METRICS_TOKEN: secret(
      orNull(textSetting(32)),
      `Token for GET /metrics ("Authorization: Bearer <token>") and nothing else, so that monitoring needs no password;
      at least 32 characters.`,
    ),
    POLICY_CRYPTO_MODULE: orNull(
      z.string().regex(/\.[cm]?js$/, { error: "must name a .js, .mjs or .cjs file" }),
    ).describe(
      `JavaScript module inside the project for head units with their own table encryption. It exports
      decryptPolicyTable(value, environment) and encryptPolicyTable(data, environment).`,
    ),
    BACKUP_DIR: orNull(textSetting(1)).describe(
      `Folder for nightly backups of the embedded database; the last 14 are kept. Not set: no backups. For MongoDB, use
      its own tools.`,
    ),
    AUDIT_RETENTION_DAYS: orNull(integerSetting(1, 36_500)).describe(
      "Days after which audit events are deleted. Not set: never.",
    ),
    TZ: orNull(timeZone()).describe("Time zone of the daily tasks, e.g. Europe/Berlin. Not set: that of the machine."),
  },
} as const;
