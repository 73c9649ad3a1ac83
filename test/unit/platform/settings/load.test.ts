import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  SettingsError,
  programEnvironment,
  findLogLevel,
  loadCommandSettings,
  loadSettings,
  loadSettingsOf,
  loadSettingsWarnings,
  type ProgramName,
  readSettingsFile,
  replaceSettings,
} from "@/lib/platform/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  vi.spyOn(process, "cwd").mockReturnValue(root);
  vi.stubEnv("NODE_ENV", "production");
  for (const name of ["MONGODB_URI", "POLICY_SERVER_PORT", "POLICY_SERVER_HOST", "LOG_LEVEL"])
    vi.stubEnv(name, undefined);
  replaceSettings(null);
});

afterEach(() => {
  replaceSettings(null);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const writeEnv = (...lines: string[]) => writeFileSync(path.join(root, ".env"), lines.join("\n"));

it("reads .env for names that the environment does not set", () => {
  writeEnv("# comment", "POLICY_SERVER_HOST=file.example.com", "POLICY_SERVER_PORT=4000", "LOG_LEVEL='debug'");
  vi.stubEnv("POLICY_SERVER_PORT", "5000");
  vi.stubEnv("LOG_LEVEL", "");
  expect(loadSettings()).toMatchObject({
    policyServerHost: "file.example.com",
    policyServerPort: 5000,
    logLevel: "debug",
    dataDir: path.join(root, "data"),
  });
  expect(findLogLevel()).toBe("debug");
});

it("E10a: a file in another encoding is refused by name, a mark of UTF-8 taken; commands take another file", () => {
  const write = (text: string, encoding: BufferEncoding) => writeFileSync(path.join(root, ".env"), text, encoding);
  write("\ufeffPOLICY_SERVER_HOST=marked.example.com\r\n", "utf8");
  expect(loadSettings().policyServerHost).toBe("marked.example.com");
  replaceSettings(null);
  write("A=b\nCERTIFICATE_LOCALITY=K\u00f6ln\n", "latin1");
  expect(loadSettings).toThrow(".env is not UTF-8 in line 2");
  write("", "utf8");
  writeFileSync(path.join(root, "server.env"), "POLICY_SERVER_HOST=other.example.com\nPOLICY_SERVER_PORT=1\n");
  vi.stubEnv("POLICY_SERVER_PORT", "5000");
  readSettingsFile(path.join(root, "server.env"));
  expect(loadSettings()).toMatchObject({ policyServerHost: "other.example.com", policyServerPort: 5000 });
  expect(() => readSettingsFile(path.join(root, "none.env"))).toThrow("none.env cannot be read");
});

it("E10b: a command without --settings takes the systemd unit's file and DATA_DIR, unless another server is named", () => {
  const unit = { settingsFile: path.join(root, "service.env"), dataDir: "/var/lib/of-the-unit" };
  vi.stubEnv("DATA_DIR", undefined);
  vi.stubEnv("POLICY_SERVER_HOST", undefined);
  readSettingsFile(undefined, unit);
  expect(process.env.DATA_DIR).toBeUndefined();
  writeFileSync(unit.settingsFile, "POLICY_SERVER_HOST=service.example.com\n");
  writeEnv("POLICY_SERVER_HOST=here.example.com");
  readSettingsFile(undefined, unit);
  expect([process.env.DATA_DIR, loadSettings().policyServerHost]).toEqual([undefined, "here.example.com"]);
  rmSync(path.join(root, ".env"));
  replaceSettings(null);
  vi.stubEnv("DATA_DIR", "copy");
  readSettingsFile(undefined, unit);
  expect(process.env.POLICY_SERVER_HOST).toBeUndefined();
  vi.stubEnv("DATA_DIR", "");
  readSettingsFile(undefined, unit);
  expect(loadSettings()).toMatchObject({ policyServerHost: "service.example.com", dataDir: unit.dataDir });
});

it("E10b: a command, run in any folder, finds customizable/ of its program", () => {
  const program = path.join(root, "program");
  mkdirSync(path.join(program, "customizable/ssl"), { recursive: true });
  for (const name of ["a.pem", "b.pem"]) writeFileSync(path.join(program, "customizable/ssl", name), "");
  writeEnv("POLICY_SERVER_PORT_SSL=8443", "SSL_CERTIFICATE_FILENAME=a.pem", "SSL_PRIVATE_KEY_FILENAME=b.pem");
  expect(() => loadCommandSettings(root)).toThrow("cannot be read in customizable/ssl");
  expect(loadCommandSettings(program)).toMatchObject({
    dataDir: path.join(root, "data"),
    tls: { certificatePath: path.join(program, "customizable/ssl/a.pem") },
  });
});

it("E8, O4: takes secrets from files, and says which one it cannot read", () => {
  writeFileSync(path.join(root, "secret"), `${"s".repeat(32)}\n`);
  writeEnv("SESSION_SECRET_FILE=secret");
  expect(loadSettings().sessionSecret).toBe("s".repeat(32));
  replaceSettings(null);
  vi.stubEnv("AUDIT_KEY_FILE", root);
  vi.stubEnv("AUDIT_KEY", "");
  expect(loadSettings).toThrow(`AUDIT_KEY_FILE names a file that cannot be read: ${root}`);
});

it("leaves a developer's .env alone while tests run", () => {
  writeEnv("MONGODB_URI=mongodb://production.example.com/live");
  vi.stubEnv("NODE_ENV", "test");
  expect(loadSettings().mongodbUri).toBeNull();
});

it("finding F1: DB_* refuse a start on an empty DATA_DIR, and warn where there is an embedded database", () => {
  writeEnv("DB_HOST=old.example.com", "DB_DATABASE=policy");
  expect(loadSettings).toThrow(SettingsError);
  expect(loadSettings).toThrow(/DB_HOST, DB_DATABASE: .*MONGODB_URI/);
  const folder = path.join(root, "data/database");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "lock"), "");
  expect(loadSettings).toThrow(SettingsError);
  writeFileSync(path.join(folder, "log-1.db"), "");
  expect(loadSettings().usesEmbeddedDatabase).toBe(true);
  expect(loadSettingsWarnings()).toContainEqual(expect.stringMatching(/^DB_HOST, DB_DATABASE: /));
});

it("reads once and hands out the same settings", () => {
  const first = loadSettings();
  vi.stubEnv("POLICY_SERVER_PORT", "5000");
  expect(loadSettings()).toBe(first);
});

it("E4: throws all problems together", () => {
  writeEnv("POLICY_SERVER_PORT=x", "AUTH_TYPE=basic", "LOG_LEVEL=loud");
  expect(() => loadSettings()).toThrow(SettingsError);
  expect(() => loadSettings()).toThrow(/POLICY_SERVER_PORT .*\n.*LOG_LEVEL .*\n.*BASIC_AUTH_PASSWORD /);
  expect(findLogLevel()).toBe("info");
});

it("E11: a process gets the secrets that it needs, from environment and file, and starts without the others", () => {
  const [secret, key] = ["s".repeat(32), "ab".repeat(32)];
  vi.stubEnv("AUTH_TYPE", "basic");
  vi.stubEnv("BASIC_AUTH_PASSWORD", secret);
  vi.stubEnv("METRICS_TOKEN_FILE", "/run/secrets/metrics-token");
  vi.stubEnv("MONGODB_URI", "mongodb://me:hush@127.0.0.1/?replicaSet=rs0");
  writeEnv(`SESSION_SECRET=${secret}`, `KEY_ENCRYPTION_KEY=${key}`);
  const names = (program: ProgramName) =>
    Object.keys(programEnvironment(program)).filter((name) => /PASSWORD|METRICS_TOKEN|MONGODB_URI/.test(name));
  expect(names("database")).toEqual([]);
  expect(names("vehicle-worker")).toEqual(["MONGODB_URI"]);
  expect(names("console").toSorted()).toEqual(["BASIC_AUTH_PASSWORD", "METRICS_TOKEN_FILE", "MONGODB_URI"]);
  expect(loadSettingsOf("vehicle-worker")).toMatchObject({
    ...{ authType: "basic", basicAuthPassword: null, sessionSecret: null, metricsToken: null },
    keyEncryptionKey: expect.anything(),
    mongodbUri: "mongodb://me:hush@127.0.0.1/?replicaSet=rs0",
  });
});
