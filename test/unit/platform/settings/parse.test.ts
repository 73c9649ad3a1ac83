import { availableParallelism } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseSettings } from "@/lib/platform/settings/parse";
import { secretVariables, variableNames } from "@/lib/platform/settings/variables";

const root = "/srv/policy";
const parse = (env: Record<string, string | undefined>, readable: readonly string[] = []) =>
  parseSettings(env, { root, readable: (file) => readable.includes(path.relative(root, file)) });

function settingsOf(env: Record<string, string | undefined>, readable: readonly string[] = []) {
  const parsed = parse(env, readable);
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  return parsed.settings;
}

function warningsOf(env: Record<string, string | undefined>, readable: readonly string[] = []) {
  const parsed = parse({ EXAMPLE_DIRECTORY: "false", ...env }, readable);
  return "problems" in parsed ? [] : parsed.warnings;
}

function problemsOf(env: Record<string, string | undefined>, readable: readonly string[] = []) {
  const parsed = parse(env, readable);
  return "problems" in parsed ? parsed.problems : [];
}

describe("rules", () => {
  it("E1: counts an empty value as not set", () => {
    expect(settingsOf(Object.fromEntries(variableNames.map((name) => [name, ""])))).toEqual(settingsOf({}));
    expect(problemsOf({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "" })).toHaveLength(1);
  });

  it("Q6: an address without TLS that phones are told", () => {
    const said = (PUBLIC_BASE_URL: string) => warningsOf({ PUBLIC_BASE_URL, AUTH_TYPE: "" });
    expect(said("http://policy.example:3000")).toEqual([
      "PUBLIC_BASE_URL begins with http://. Phones ask by HTTPS on this port, whatever is announced",
    ]);
    for (const url of ["https://policy.example", "http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])
      expect(said(url)).toEqual([]);
    expect(said("http://127.0.0.1.example")).toHaveLength(1);
    // What is announced without the setting counts as well.
    expect(warningsOf({ POLICY_SERVER_HOST: "policy.example", AUTH_TYPE: "" })).toEqual([
      "Without PUBLIC_BASE_URL the address that vehicles are told begins with http://. " +
        "Phones ask by HTTPS on this port, whatever is announced",
    ]);
  });

  it("F4: two vehicle workers by default where there are two cores", () => {
    const cores = availableParallelism();
    expect(settingsOf({}).vehicleWorkers).toBe(Math.min(2, cores));
    expect(settingsOf({ VEHICLE_WORKERS: "auto" }).vehicleWorkers).toBe(Math.max(1, cores - 1));
    expect(settingsOf({ VEHICLE_WORKERS: "7" }).vehicleWorkers).toBe(7);
  });

  it.each([
    ["true", true],
    ["TRUE", true],
    [" True ", true],
    ["false", false],
    ["FALSE\t", false],
    ["  ", false],
  ])("E2: reads the boolean %j as %j", (text, expected) => {
    expect(settingsOf({ AUTO_APPROVE_ALL_APPS: text }).autoApproveAllApps).toBe(expected);
  });

  it.each([
    ["POLICY_SERVER_PORT", 1, 65535],
    ["POLICY_SERVER_PORT_SSL", 1, 65535],
    ["CERTIFICATE_DAYS", 1, 3650],
    ["PRIVATE_KEY_BITSIZE", 1024, 8192],
    ["SMTP_PORT", 1, 65535],
  ])("E3: takes %s from %i to %i and nothing else", (name, min, max) => {
    const line = `${name} must be an integer from ${min} to ${max}`;
    for (const good of [min, max]) expect(problemsOf({ [name]: String(good) })).not.toContain(line);
    for (const bad of [String(min - 1), String(max + 1), "5.0", "+5", "5 ", "0x10", "1e2", "five"]) {
      expect(problemsOf({ [name]: bad }), bad).toContain(line);
    }
  });

  it("E4: reports all errors at once, one line for each", () => {
    const problems = problemsOf({
      POLICY_SERVER_PORT: "none",
      AUTH_TYPE: "basic",
      CERTIFICATE_HASH: "md5",
      SHAID_PUBLIC_KEY: "only-one",
      SSL_CERTIFICATE_FILENAME: "../server.pem",
    });
    expect(problems).toEqual([
      "POLICY_SERVER_PORT must be an integer from 1 to 65535",
      "SSL_CERTIFICATE_FILENAME must be a file name without path separators and without ..",
      "CERTIFICATE_HASH must be one of: sha256, sha384, sha512",
      "SHAID_SECRET_KEY is required with SHAID_PUBLIC_KEY",
      "BASIC_AUTH_PASSWORD is required with AUTH_TYPE=basic",
    ]);
  });

  it("E4, E5: never repeats a value, in errors and in warnings alike", () => {
    const value = "tell?no/one..";
    const everything = Object.fromEntries(variableNames.map((name) => [name, value]));
    const obsolete = {
      MONGODB_URI: "mongodb://a/b",
      DB_PASSWORD: value,
      CACHE_PASSWORD: value,
      AUTH_TYPE: "basic",
      BASIC_AUTH_PASSWORD: "hush",
      LISTEN_ADDRESS: "127.0.0.1",
    };
    expect(problemsOf(everything).length).toBeGreaterThan(20);
    expect(problemsOf(everything).join("\n")).not.toContain(value);
    expect(warningsOf(obsolete).join("\n")).not.toMatch(/tell|hush/);
    expect(secretVariables.every((name) => variableNames.includes(name))).toBe(true);
  });

  it("says what replaces a setting of an older version, and refuses those that would lead to other data", () => {
    expect(warningsOf({ TRUST_PROXY: "1", METRICS_PORT: "9" })).toEqual([
      "TRUST_PROXY: no longer applicable; set TRUST_PROXY_ADDRESSES",
      "METRICS_PORT: no longer applicable; set METRICS_TOKEN",
    ]);
    expect(problemsOf({ MONGODB_DB: "fleet", BUNDLE_DIR: "b" })).toEqual([
      "MONGODB_DB must not be set: MONGODB_URI names the database",
      "BUNDLE_DIR must not be set: bundles are in the folder bundles of DATA_DIR",
    ]);
    expect(problemsOf({ PUBLISH_APPROVALS: "1" })).toEqual(["PUBLISH_APPROVALS must be one of: none, releases, all"]);
  });

  it("has at most 82 settings", () => expect(variableNames.length).toBeLessThanOrEqual(82));

  it("E5: refuses a setting with the prefix that would send it to browsers", () =>
    expect(problemsOf({ NEXT_PUBLIC_BASIC_AUTH_PASSWORD: "secret" })).toEqual([
      expect.stringMatching(/^NEXT_PUBLIC_BASIC_AUTH_PASSWORD must not be set/),
    ]));

  describe("E8, O4: a secret from a file", () => {
    const secret = "hush-hush-hush";
    const withFile = (content: string, more: Record<string, string> = {}) =>
      parseSettings(
        { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD_FILE: "/run/secrets/password", ...more },
        { root, readable: () => true, read: (file) => (file === "/run/secrets/password" ? content : null) },
      );

    it.each([secret, `${secret}\n`, `${secret}\r\n`])("is %j without the line break at its end", (content) => {
      expect(withFile(content)).toMatchObject({ settings: { basicAuthPassword: secret } });
    });

    it("keeps everything else that the file holds", () =>
      expect(withFile(` ${secret}\n\n`)).toMatchObject({ settings: { basicAuthPassword: ` ${secret}\n` } }));

    it("lies below the project root when its path is relative", () => {
      const read = (file: string) => (file === path.join(root, "secrets/key") ? "k".repeat(32) : null);
      const parsed = parseSettings({ AUDIT_KEY_FILE: "secrets/key" }, { root, readable: () => true, read });
      expect(parsed).toMatchObject({ settings: { auditKey: "k".repeat(32) } });
    });

    it.each(secretVariables)("can be %s", (name) => {
      const read = () => "mongodb://hush:hush@db/x\n";
      const parsed = parseSettings({ [`${name}_FILE`]: "/secret" }, { root, readable: () => true, read });
      const given = parseSettings({ [name]: "mongodb://hush:hush@db/x" }, { root, readable: () => true });
      expect(parsed).toEqual(given);
      expect(JSON.stringify(parsed)).not.toBe(JSON.stringify(parseSettings({}, { root, readable: () => true })));
    });

    it("is refused beside the same secret as a value", () =>
      expect(withFile(secret, { BASIC_AUTH_PASSWORD: "another-secret" })).toEqual({
        problems: ["BASIC_AUTH_PASSWORD and BASIC_AUTH_PASSWORD_FILE must not both be set"],
      }));

    it.each([
      ["", "BASIC_AUTH_PASSWORD_FILE names an empty file: /run/secrets/password"],
      ["\n", "BASIC_AUTH_PASSWORD_FILE names an empty file: /run/secrets/password"],
      ["hush", "BASIC_AUTH_PASSWORD must have at least 12 characters, unless LISTEN_ADDRESS is a loopback address"],
    ])("is checked as a value is: %j", (content, problem) => {
      expect(withFile(content)).toEqual({ problems: [problem] });
    });

    it("that cannot be read stops the start with the setting and the path, and with nothing that follows from it", () =>
      expect(problemsOf({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD_FILE: "/run/nothing" })).toEqual([
        "BASIC_AUTH_PASSWORD_FILE names a file that cannot be read: /run/nothing",
      ]));

    it("is for secrets alone: other names with _FILE are unknown settings", () =>
      expect(parse({ AUTH_TYPE_FILE: "/run/nothing", BASIC_AUTH_PASSWORD_FILE: "" })).toEqual(parse({})));
  });

  it("E6: ignores unknown settings", () => expect(parse({ SOMETHING_ELSE: "1" })).toEqual(parse({})));

  it.each([
    "SSL_CERTIFICATE_FILENAME",
    "SSL_PRIVATE_KEY_FILENAME",
    "CA_PRIVATE_KEY_FILENAME",
    "CA_CERTIFICATE_FILENAME",
  ])("E7: refuses path separators and .. in %s", (name) => {
    for (const bad of ["../a.pem", "a/b.pem", "a\\b.pem", "..", "/etc/key.pem"]) {
      expect(problemsOf({ [name]: bad }).join("\n"), bad).toContain(`${name} must be a file name`);
    }
  });
});

const httpUrl = "must be an http or https URL without credentials";

it.each<[string, string, readonly string[]]>([
  ["ENCRYPTION_REQUIRED", "must be true or false", ["yes", "1", "0", "on", "truefalse"]],
  [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "must have the form name=value,name=value with percent-encoded values",
    ["hush", "=hush", "a b=hush", "a=%zzhush", "a=hush%0d%0ab"],
  ],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", httpUrl, ["collector:4318", "http://user:hush@collector:4318", "grpc://collector"]],
  ["PUBLIC_BASE_URL", httpUrl, ["ftp://example.com", "example.com", "https://a:b@example.com"]],
  [
    "PUBLIC_BASE_URL",
    "must not end with a slash and must not have a query or a fragment",
    ["https://example.com/", "https://e.com?a=1"],
  ],
  [
    "RPC_SPEC_URL",
    `${httpUrl}, file:///path, or off`,
    ["spec.xml", "file://host/x", "file:///", "file:///a%2Fb", "OFF"],
  ],
  ["RPC_SPEC_URL", "names a file that cannot be read", ["file:///srv/gone.xml"]],
  ["SHAID_URL", httpUrl, ["file:///etc/passwd"]],
  [
    "POLICY_SERVER_HOST",
    "must be a host name or an IP address, without scheme and port",
    ["http://example.com", "example.com:80", "a b", "-a.example", "99999999999", "10.0.0.256"],
  ],
  ["LISTEN_ADDRESS", "must be an IP address", ["localhost"]],
  [
    "TRUST_PROXY_ADDRESSES",
    "must be a comma-separated list of IP addresses and networks, such as 10.0.0.0/8",
    ["10.0.0.0/33", "proxy.lan", "10.0.0.0/", "10.0.0/8", "::/129", "10.0.0.1/8/9", "1.2.3.4/-1"],
  ],
  [
    "AUTH_USER_HEADER",
    "must be the name of a header, such as X-Forwarded-User",
    ["Remote User", "X-User:", "Benutzer-ä", "x".repeat(101)],
  ],
  [
    "AUTH_USER_HEADER",
    "must not be a header that means something else",
    [
      ...["Cookie", "Authorization", "BASIC-AUTH-PASSWORD", "public_key", "X-Display-Name", "Host", "Origin"],
      ...["Content-Type", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Client-Address"],
      "Sec-Fetch-Site",
    ],
  ],
  ["AUTH_TYPE", "must be one of: basic, oidc, none", ["oauth"]],
  ["SESSION_SECRET", "must have at least 32 characters", ["x".repeat(31)]],
  [
    "MONGODB_URI",
    "must have the form mongodb://host/database or mongodb+srv://host/database",
    ["postgres://u:secret@host/db"],
  ],
  ["APP_CERTIFICATE_GET", "must be one of: public, admin, off", ["everybody"]],
  ["CERTIFICATE_COUNTRY", "must be two letters", ["DEU"]],
  ["NOTIFY_APP_REVIEW_EMAILS", "must be a comma-separated list of e-mail addresses", ["a@example.com, nobody"]],
  ["NOTIFY_APP_REVIEW_FREQUENCY", "must be one of: DISABLED, REALTIME", ["daily"]],
  ["BUNDLE_HANDLER", "must be one of: none, local, s3", ["ftp"]],
  [
    "SMTP_FROM",
    "must be an e-mail address, or have the form Name <address>",
    [
      ...["nobody", "A <b>", "A <a@b.c", "a@b.c\r\nBcc: x@y.z", "A\nBcc: x <a@b.c>", "a@b.c, d@e.f"],
      "A <a@b.c>, D <d@e.f>",
    ],
  ],
  ["POLICY_CRYPTO_MODULE", "must lie inside the project", ["../hooks.mjs"]],
  ["POLICY_CRYPTO_MODULE", "names a file that cannot be read", ["gone.mjs"]],
  ["POLICY_CRYPTO_MODULE", "must name a .js, .mjs or .cjs file", ["hooks.ts"]],
])(
  "E4: a value that a setting must not have is one line that names the setting: %s %s: not %j",
  (name, sentence, values) => {
    for (const value of values) {
      const problems = problemsOf({ TRUST_PROXY_ADDRESSES: "10.0.0.7", [name]: value });
      expect(problems, value).toEqual([`${name} ${sentence}`]);
    }
  },
);

describe("traces", () => {
  it("O4: are off unless there is a collector", () =>
    expect(settingsOf({})).toMatchObject({ otelExporterOtlpEndpoint: null, otelExporterOtlpHeaders: {} }));

  it("O4: takes headers as OpenTelemetry writes them", () => {
    const given = { OTEL_EXPORTER_OTLP_HEADERS: "X-Key=a%2Cb%3D, authorization = Bearer%20c=d ,," };
    expect(settingsOf(given).otelExporterOtlpHeaders).toEqual({ "x-key": "a,b=", authorization: "Bearer c=d" });
  });
});

describe("server and TLS", () => {
  it("has working defaults, closed to the outside", () =>
    expect(settingsOf({})).toMatchObject({
      policyServerHost: "localhost",
      policyServerPort: 3000,
      listenAddress: "127.0.0.1",
      publicBaseUrl: "http://localhost:3000",
      dataDir: "/srv/policy/data",
      bundleDir: "/srv/policy/data/bundles",
      tls: null,
    }));

  const files = { SSL_CERTIFICATE_FILENAME: "cert.pem", SSL_PRIVATE_KEY_FILENAME: "key.pem" };
  const readable = ["customizable/ssl/cert.pem", "customizable/ssl/key.pem"];

  it("turns TLS on with a port and two readable files", () =>
    expect(settingsOf({ POLICY_SERVER_PORT_SSL: "8443", ...files }, readable).tls).toEqual({
      port: 8443,
      certificatePath: "/srv/policy/customizable/ssl/cert.pem",
      privateKeyPath: "/srv/policy/customizable/ssl/key.pem",
      legacyCiphers: false,
    }));

  it("refuses TLS without files, with one of them, or with unreadable ones", () => {
    expect(problemsOf({ POLICY_SERVER_PORT_SSL: "443" })).toHaveLength(2);
    expect(problemsOf({ SSL_PRIVATE_KEY_FILENAME: "key.pem" }, readable)).toEqual([
      expect.stringMatching(/^SSL_CERTIFICATE_FILENAME is required/),
    ]);
    expect(problemsOf({ POLICY_SERVER_PORT_SSL: "443", ...files }, ["customizable/ssl/cert.pem"])).toEqual([
      "SSL_PRIVATE_KEY_FILENAME names a file that cannot be read in customizable/ssl",
    ]);
  });

  it("wants two different ports", () =>
    expect(problemsOf({ POLICY_SERVER_PORT_SSL: "3000", ...files }, readable)).toEqual([
      "POLICY_SERVER_PORT_SSL must differ from POLICY_SERVER_PORT",
    ]));

  it.each([
    [{ POLICY_SERVER_HOST: "policy.example.com" }, "http://policy.example.com:3000"],
    [{ POLICY_SERVER_HOST: "policy.example.com", POLICY_SERVER_PORT: "80" }, "http://policy.example.com"],
    [{ POLICY_SERVER_PORT: "443" }, "http://localhost:443"],
    [{ POLICY_SERVER_PORT_SSL: "443", ...files }, "https://localhost"],
    [{ POLICY_SERVER_PORT_SSL: "8443", ...files }, "https://localhost:8443"],
    [{ POLICY_SERVER_HOST: "2001:db8::1" }, "http://[2001:db8::1]:3000"],
    [{ PUBLIC_BASE_URL: "https://edge.example.com/sdl", POLICY_SERVER_PORT: "80" }, "https://edge.example.com/sdl"],
  ])("M3: builds the public base URL of %j", (env, expected) => {
    expect(settingsOf(env, readable).publicBaseUrl).toBe(expected);
  });

  it.each(["0.0.0.0", "::", "192.0.2.7"])("refuses to listen on %s while nobody chose an AUTH_TYPE", (address) => {
    expect(problemsOf({ LISTEN_ADDRESS: address })).toEqual([
      expect.stringMatching(/^LISTEN_ADDRESS must be a loopback/),
    ]);
    expect(settingsOf({ LISTEN_ADDRESS: address, AUTH_TYPE: "none" }).listenAddress).toBe(address);
  });

  it("listens on any loopback address, and everywhere once an AUTH_TYPE is chosen", () => {
    expect(settingsOf({ LISTEN_ADDRESS: "::1" }).listenAddress).toBe("::1");
    expect(settingsOf({ LISTEN_ADDRESS: "127.0.0.2" }).listenAddress).toBe("127.0.0.2");
    expect(settingsOf({ AUTH_TYPE: "none" }).listenAddress).toBeNull();
  });
});

describe("database", () => {
  it("uses the embedded database when no URI is set", () =>
    expect(settingsOf({})).toMatchObject({
      usesEmbeddedDatabase: true,
      mongodbUri: null,
      databaseName: "policy_server",
    }));

  it.each([
    [{ MONGODB_URI: "mongodb://u:p@a:27017,b:27017/fleet?replicaSet=rs0" }, "fleet"],
    [{ MONGODB_URI: "mongodb+srv://cluster.example.com" }, "policy_server"],
    [{ MONGODB_URI: "mongodb://a/?tls=true" }, "policy_server"],
  ])("takes the database name of %j", (env, expected) => {
    expect(settingsOf(env)).toMatchObject({ usesEmbeddedDatabase: false, databaseName: expected });
  });

  it.each([
    ["maxPoolSize", 1, 500],
    ["serverSelectionTimeoutMS", 500, 60_000],
  ])("takes %s in MONGODB_URI from %i to %i", (option, min, max) => {
    const of = (value: unknown) =>
      problemsOf({ MONGODB_URI: `mongodb://u:hush@a/x?replicaSet=r&${option}=${String(value)}` });
    for (const good of [min, max]) expect(of(good)).toEqual([]);
    for (const bad of [min - 1, max + 1, "many", ""])
      expect(of(bad)).toEqual([`MONGODB_URI: ${option} must be an integer from ${min} to ${max}`]);
  });

  it("B7: warns of options of MONGODB_URI that are not used, without the string", () => {
    const MONGODB_URI = "mongodb://user:hidden@db.example.net/x?replicaSet=r&readPreference=nearest&w=0";
    const warnings = warningsOf({ MONGODB_URI, AUTH_TYPE: "" });
    expect(warnings).toEqual([expect.stringMatching(/^MONGODB_URI: readPreference, w not used/)]);
    expect(String(warnings)).not.toMatch(/hidden|example/);
    expect(warningsOf({ MONGODB_URI: "mongodb://db.example.net/x?readPreference=primary", AUTH_TYPE: "" })).toEqual([]);
  });
});

describe("directory", () => {
  it.each([
    [{}, "example"],
    [{ AUTH_TYPE: "none" }, "off"],
    [{ AUTH_TYPE: "none", EXAMPLE_DIRECTORY: "true" }, "example"],
    [{ EXAMPLE_DIRECTORY: "false" }, "off"],
    [{ SHAID_PUBLIC_KEY: "p", SHAID_SECRET_KEY: "s" }, "shaid"],
  ])("with %j uses %s", (env, expected) => expect(settingsOf(env).directory).toBe(expected));

  it("O4: made-up apps are not served by accident, and says that there are none; NO_PROXY with what names no address", () => {
    const line = expect.stringMatching(/^No apps are read: set SHAID_PUBLIC_KEY/);
    expect(warningsOf({ AUTH_TYPE: "none", EXAMPLE_DIRECTORY: "" })).toContainEqual(line);
    expect(warningsOf({ AUTH_TYPE: "none" })).not.toContainEqual(line);
    const proxies = (NO_PROXY: string) => warningsOf({ NO_PROXY }).filter((one) => one.startsWith("NO_PROXY"));
    expect(proxies("localhost,.svc,*.a.example:81,10.0.0.0/8,[fd00::7]:81,fd00::/8,*")).toEqual([]);
    for (const one of ["10.*", "169.254/16", "http://a.example", "<local>"])
      expect(proxies(`a,${one}`)).toHaveLength(1);
  });

  it("wants both keys or none", () => {
    expect(problemsOf({ SHAID_PUBLIC_KEY: "p" })).toEqual(["SHAID_SECRET_KEY is required with SHAID_PUBLIC_KEY"]);
    expect(problemsOf({ SHAID_SECRET_KEY: "s" })).toEqual(["SHAID_PUBLIC_KEY is required with SHAID_SECRET_KEY"]);
  });
});

describe("authentication", () => {
  const oidc = {
    ...{ AUTH_TYPE: "oidc", OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "policy-server" },
    ...{ OIDC_CLIENT_SECRET: "hush", OIDC_ROLES: "viewer=staff" },
  };

  it.each([{ AUTH_TYPE: "basic" }, oidc])(
    "finding A7: refuses a short password that others may guess at: %j",
    (env) => {
      const sentence =
        "BASIC_AUTH_PASSWORD must have at least 12 characters, unless LISTEN_ADDRESS is a loopback address";
      const of = (password: string, more = {}) => problemsOf({ ...env, BASIC_AUTH_PASSWORD: password, ...more });
      for (const short of ["x", "12345678901"]) {
        expect(of(short)).toEqual([sentence]);
        expect(of(short, { LISTEN_ADDRESS: "192.0.2.1" })).toEqual([sentence]);
        expect(of(short, { LISTEN_ADDRESS: "::1" })).toEqual([]);
      }
      expect(of("123456789012")).toEqual([]);
      expect(problemsOf({ BASIC_AUTH_PASSWORD: "x" })).toEqual([]);
    },
  );

  it("W6: takes people from a provider and from a proxy at once only where both give the same identifier", () => {
    const both = { ...oidc, AUTH_USER_HEADER: "x-user", TRUST_PROXY_ADDRESSES: "10.0.0.7" };
    const refused = [expect.stringMatching(/^AUTH_USER_HEADER needs AUTH_USER_ID_CLAIM with AUTH_TYPE=oidc/)];
    expect(problemsOf(both)).toEqual(refused);
    expect(problemsOf({ ...both, AUTH_ROLES_HEADER: "x-roles" })).toEqual(refused);
    expect(settingsOf({ ...both, AUTH_USER_ID_CLAIM: "email" }).authUserIdClaim).toBe("email");
    expect(warningsOf({ ...both, AUTH_USER_ID_CLAIM: "email" })).toEqual([]);
    expect(warningsOf({ ...oidc, AUTH_USER_ID_CLAIM: "email" })).toEqual([expect.stringContaining("no effect")]);
  });

  it("W7: refuses what would accept apps that two persons are to agree to", () => {
    const people = {
      ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame!", AUTH_USER_HEADER: "x-user" },
      ...{ AUTH_ROLES_HEADER: "x-roles", TRUST_PROXY_ADDRESSES: "10.0.0.7", OIDC_ROLES: "admin=a" },
      ...{ PUBLISH_APPROVALS: "all" },
    };
    expect(problemsOf(people)).toEqual([]);
    expect(problemsOf({ ...people, AUTO_APPROVE_ALL_APPS: "true" })).toEqual([
      "AUTO_APPROVE_ALL_APPS must not be set with PUBLISH_APPROVALS=all: it accepts apps that nobody has approved",
    ]);
  });

  it("warns of a short password and of an open server", () => {
    const here = { AUTH_TYPE: "basic", LISTEN_ADDRESS: "127.0.0.1" };
    expect(warningsOf({ ...here, BASIC_AUTH_PASSWORD: "12345678901" })).toHaveLength(1);
    expect(warningsOf({ ...here, BASIC_AUTH_PASSWORD: "123456789012" })).toEqual([]);
    expect(warningsOf({ AUTH_TYPE: "none" })).toEqual([expect.stringContaining("open to everyone")]);
  });

  it("finding B9: takes the name of a header, in any case, and only with the addresses of the proxies", () => {
    expect(settingsOf({}).authUserHeader).toBeNull();
    const proxies = { TRUST_PROXY_ADDRESSES: "10.0.0.7" };
    expect(settingsOf({ AUTH_USER_HEADER: "X-Forwarded-User", ...proxies }).authUserHeader).toBe("x-forwarded-user");
    expect(problemsOf({ AUTH_USER_HEADER: "Remote-User" })).toEqual([
      expect.stringMatching(/^AUTH_USER_HEADER must not be set without TRUST_PROXY_ADDRESSES/),
    ]);
  });

  it("finding B9: takes addresses and networks of proxies", () => {
    expect(settingsOf({}).trustProxyAddresses).toEqual([]);
    expect(settingsOf({ TRUST_PROXY_ADDRESSES: " 10.0.0.0/8, ::1,fd00::/8, " }).trustProxyAddresses).toEqual([
      "10.0.0.0/8",
      "::1",
      "fd00::/8",
    ]);
  });
});

describe("certificates", () => {
  const all = {
    CA_PRIVATE_KEY_FILENAME: "ca.key",
    CA_CERTIFICATE_FILENAME: "ca.pem",
    CERTIFICATE_PASSPHRASE: "open sesame",
    CERTIFICATE_COMMON_NAME: "policy.example.com",
  };
  const readable = ["customizable/ca/ca.key", "customizable/ca/ca.pem"];

  it("enables generation when all four settings are set and both files can be read", () =>
    expect(settingsOf(all, readable).certificateGeneration).toEqual({
      enabled: true,
      caPrivateKeyPath: "/srv/policy/customizable/ca/ca.key",
      caCertificatePath: "/srv/policy/customizable/ca/ca.pem",
      passphrase: "open sesame",
      caPassphrase: "open sesame",
      commonName: "policy.example.com",
    }));

  it("finding B8: opens the authority's key with a passphrase of its own", () =>
    expect(settingsOf({ ...all, CA_PASSPHRASE: "another" }, readable).certificateGeneration).toMatchObject({
      passphrase: "open sesame",
      caPassphrase: "another",
    }));

  it("finding B8: says what strangers may get while certificates are made", () => {
    expect(warningsOf(all, readable)).toEqual([
      expect.stringContaining("MODULE_CONFIG_ENCRYPT_CERT_BUNDLE=false"),
      expect.stringContaining("APP_CERTIFICATE_GET=public"),
      "CERTIFICATE_PASSPHRASE is short; use 20 characters or more",
    ]);
    const guarded = {
      MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true",
      APP_CERTIFICATE_GET: "admin",
      CERTIFICATE_PASSPHRASE: "x".repeat(20),
    };
    expect(warningsOf({ ...all, ...guarded }, readable)).toEqual([]);
  });

  it("starts with generation off, without a word, when none is set", () => {
    expect(settingsOf({}).certificateGeneration.enabled).toBe(false);
    expect(warningsOf({})).toEqual([]);
  });

  it.each(Object.keys(all))("starts with generation off and says so when %s is missing", (name) => {
    const env = { ...all, [name]: undefined };
    expect(settingsOf(env, readable).certificateGeneration).toEqual({ enabled: false, missing: [name] });
    expect(warningsOf(env, readable)).toEqual([expect.stringContaining(name)]);
  });

  it("names the file that cannot be read", () =>
    expect(settingsOf(all, ["customizable/ca/ca.key"]).certificateGeneration).toEqual({
      enabled: false,
      missing: ["CA_CERTIFICATE_FILENAME"],
    }));

  it.each([
    ["CERTIFICATE_COMMON_NAME", 64],
    ["CERTIFICATE_STATE", 128],
    ["CERTIFICATE_LOCALITY", 128],
    ["CERTIFICATE_ORGANIZATION", 64],
    ["CERTIFICATE_ORGANIZATION_UNIT", 64],
    ["CERTIFICATE_EMAIL_ADDRESS", 128],
  ])("takes %s up to %i characters", (name, max) => {
    expect(problemsOf({ [name]: "x".repeat(max) })).toEqual([]);
    expect(problemsOf({ [name]: "x".repeat(max + 1) })).toEqual([`${name} must have 1 to ${max} characters`]);
  });

  it("takes country and hash, advises on key size, and takes any cipher", () => {
    expect(settingsOf({ CERTIFICATE_COUNTRY: "DE", CERTIFICATE_HASH: "sha512" })).toMatchObject({
      certificateCountry: "DE",
      certificateHash: "sha512",
      certificateDays: 7,
      privateKeyBitsize: 2048,
    });
    expect(warningsOf({ PRIVATE_KEY_BITSIZE: "1024" })).toEqual([expect.stringContaining("PRIVATE_KEY_BITSIZE")]);
    expect(settingsOf({ PRIVATE_KEY_CIPHER: "whatever" }).privateKeyCipher).toBe("whatever");
  });
});

describe("e-mail", () => {
  it("reads recipients with blanks and empty parts", () => {
    const { notifyAppReviewEmails } = settingsOf({ NOTIFY_APP_REVIEW_EMAILS: " a@example.com ,, b@example.com," });
    expect(notifyAppReviewEmails).toEqual(["a@example.com", "b@example.com"]);
    expect(settingsOf({}).notifyAppReviewEmails).toEqual([]);
  });

  it("reads the frequency in any case", () => {
    expect(settingsOf({ NOTIFY_APP_REVIEW_FREQUENCY: "realtime" }).notifyAppReviewFrequency).toBe("REALTIME");
    expect(settingsOf({}).notifyAppReviewFrequency).toBe("DISABLED");
  });
});

describe("bundles, logging and various", () => {
  it("reads the RPC specification from a file named by its URL, or not at all", () => {
    const source = (RPC_SPEC_URL: string, readable: string[] = []) =>
      settingsOf({ RPC_SPEC_URL }, readable).rpcSpecSource;
    expect(source("https://spec.example/x.xml")).toBe("https://spec.example/x.xml");
    expect(source("file:///srv/policy/a%20copy.xml", ["a copy.xml"])).toBe("/srv/policy/a copy.xml");
    expect(source("off")).toBeNull();
  });

  it("wants bucket and region for s3", () =>
    expect(problemsOf({ BUNDLE_HANDLER: "s3" })).toEqual([
      "BUCKET_NAME is required with BUNDLE_HANDLER=s3",
      "AWS_REGION is required with BUNDLE_HANDLER=s3",
    ]));

  it("keeps bundles below the data folder", () =>
    expect(settingsOf({ DATA_DIR: "/var/lib/policy" }).bundleDir).toBe("/var/lib/policy/bundles"));

  it("takes a hook module inside the project", () =>
    expect(settingsOf({ POLICY_CRYPTO_MODULE: "customizable/hooks.mjs" }, ["customizable/hooks.mjs"])).toMatchObject({
      policyCryptoModule: "/srv/policy/customizable/hooks.mjs",
    }));

  it("checks mode, level and time zone", () => {
    expect(settingsOf({})).toMatchObject({ nodeEnv: "development", logLevel: "info", tz: null });
    expect(problemsOf({ NODE_ENV: "live", LOG_LEVEL: "trace", TZ: "Mars/Olympus" })).toEqual([
      "NODE_ENV must be one of: production, development, test, staging",
      "LOG_LEVEL must be one of: error, warn, info, debug",
      "TZ must be the name of a time zone, such as Europe/Berlin",
    ]);
  });
});

describe("finding D4: settings that were refused or ignored without need", () => {
  it.each([
    ["policy@example.com", null],
    ["Policy server <policy@example.com>", "Policy server"],
    [' "Policies, Inc." <policy@example.com> ', "Policies, Inc."],
    ["Größe <policy@example.com>", "Größe"],
    ["<policy@example.com>", null],
  ])("SMTP_FROM may be %j", (text, name) => {
    expect(settingsOf({ SMTP_FROM: text }).smtpFrom).toEqual({ name, address: "policy@example.com" });
  });

  it("BUCKET_NAME without BUNDLE_HANDLER=s3 gives a warning", () => {
    const bucket = { BUCKET_NAME: "apps", AWS_REGION: "eu-central-1" };
    expect(warningsOf(bucket)).toEqual([expect.stringMatching(/^BUCKET_NAME has no effect .*BUNDLE_HANDLER/)]);
    expect(warningsOf({ ...bucket, BUNDLE_HANDLER: "s3" })).toEqual([]);
  });
});

describe("settings of older servers", () => {
  it("E6: gives one warning line for each family", () => {
    const warnings = warningsOf({
      MONGODB_URI: "mongodb://a/policy",
      DB_USER: "u",
      DB_PASSWORD: "p",
      STAGING_PG_HOST: "h",
      PRODUCTION_PG_HOST: "h",
      TEST_PG_PORT: "1",
      LOG_MODULE: "winston",
      RUN_STATE: "x",
      CACHE_MODULE: "redis",
      CACHE_PASSWORD: "p",
    });
    expect(warnings).toHaveLength(7);
    expect(warnings).toContainEqual(expect.stringMatching(/^DB_USER, DB_PASSWORD: .*MONGODB_URI/));
    expect(warnings).toContainEqual(expect.stringMatching(/^CACHE_MODULE, CACHE_PASSWORD: .*no cache to configure/));
  });

  it("finding F1: alone refuse the start, with a sentence that names both ways out (X9)", () => {
    for (const env of [{ DB_HOST: "db", DB_DATABASE: "d" }, { DB_PASSWORD: "hush" }]) {
      const [line = "", ...others] = problemsOf(env);
      expect(others).toEqual([]);
      expect(line).toContain(Object.keys(env).join(", "));
      expect(line).toMatch(/set MONGODB_URI .* or remove these settings/);
      expect(line).not.toContain("hush");
    }
  });

  it("with data of this server in DATA_DIR start on those, and are never turned into a database", () => {
    const env = { DB_HOST: "db", DB_DATABASE: "d", DATA_DIR: "var" };
    const holdsDatabase = (folder: string) => folder === path.join(root, "var/database");
    const parsed = parseSettings(env, { root, readable: () => false, holdsDatabase });
    expect(parsed).toMatchObject({ settings: { usesEmbeddedDatabase: true, mongodbUri: null } });
    expect(problemsOf({ ...env, MONGODB_URI: "mongodb://a/policy" })).toEqual([]);
  });
});
