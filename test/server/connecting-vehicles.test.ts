import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, startServer, type TestServer } from "@/test/support/server";
import { findTool } from "@/test/support/tools";
import { temporaryFolder } from "@/test/support/temporary-folder";

const hasCurl = findTool("curl", "the commands of docs/connecting-vehicles.md") !== null;
const folder = temporaryFolder();
const name = `test-${randomBytes(8).toString("hex")}`;
const certificate = path.resolve("customizable/ssl", `${name}.crt`);
const key = path.resolve("customizable/ssl", `${name}.key`);
const trust = { SSL_CERT_FILE: certificate, CURL_CA_BUNDLE: certificate, NODE_EXTRA_CA_CERTS: certificate };
let server: TestServer;
let securePort: number;

beforeAll(async () => {
  const subject = ["-subj", "/CN=policy.example", "-addext", "subjectAltName=DNS:policy.example,IP:127.0.0.1"];
  const out = ["-days", "1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...out], { stdio: "pipe" });
  securePort = await freePort();
  server = await startServer({
    env: {
      ...{ PUBLIC_BASE_URL: "https://policy.example", POLICY_SERVER_PORT_SSL: String(securePort) },
      ...{ SSL_CERTIFICATE_FILENAME: `${name}.crt`, SSL_PRIVATE_KEY_FILENAME: `${name}.key` },
    },
  });
});
afterAll(async () => {
  await server.stop();
  for (const file of [certificate, key]) rmSync(file, { force: true });
});

type Environment = Readonly<Record<string, string>>;
function run(program: string, args: readonly string[], env: Environment) {
  return new Promise<{ readonly code: number; readonly out: string }>((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 16 * 1_048_576 };
    const child = execFile(program, args, options, (_error, stdout) => {
      resolve({ code: child.exitCode ?? 1, out: stdout });
    });
    child.stdin?.end();
  });
}

describe.skipIf(!hasCurl)("Q7: the commands of docs/connecting-vehicles.md", () => {
  const page = readFileSync("docs/connecting-vehicles.md", "utf8");
  const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = ""]) => command);
  const preloaded = path.join(folder, "preloaded.json");
  const runDocumented = (part: string, env: Environment = trust) => {
    const [command = "", ...others] = commands.filter((one) => one.includes(part));
    expect([command, others]).toEqual([expect.stringContaining(part), []]);
    const here = command
      .replaceAll("https://policy.example", `https://127.0.0.1:${securePort}`)
      .replaceAll("policy.example:443", `127.0.0.1:${securePort}`)
      .replaceAll("sdl_preloaded_pt.json", preloaded);
    return run("bash", ["-c", here], env);
  };

  it("are these, each of which is tried", () => {
    const tried = ["export-preloaded", "openssl s_client", "--compressed", '{"policy_table":{}}'];
    expect(commands).toEqual(tried.map((part) => expect.stringContaining(part)));
  });

  it("a table comes as the page says", async () => {
    const { code, out } = await runDocumented("--compressed");
    expect(code).toBe(0);
    const { meta, data } = JSON.parse(out);
    expect([meta.code, Object.keys(data[0].policy_table)]).toEqual([200, expect.arrayContaining(["app_policies"])]);
    expect(data[0].policy_table.module_config.endpoints["0x07"].default).toEqual([
      "https://policy.example/api/v1/production/policy",
    ]);
  });

  it("a body without app_policies: 400, and `error` names it", async () => {
    const { meta, error } = JSON.parse((await runDocumented('{"policy_table":{}}')).out);
    expect([meta.code, error]).toEqual([400, expect.stringContaining("app_policies")]);
  });

  it("a preloaded table holds the announced address", async () => {
    const { code } = await runDocumented("export-preloaded");
    expect(code).toBe(0);
    const { policy_table: table } = JSON.parse(readFileSync(preloaded, "utf8"));
    expect(table.module_config.endpoints["0x07"].default).toEqual(["https://policy.example/api/v1/production/policy"]);
  });

  it("openssl refuses a certificate of nobody that it trusts, as phones do, and takes one that it trusts", async () => {
    expect((await runDocumented("openssl s_client")).code).toBe(0);
    expect((await runDocumented("openssl s_client", { SSL_CERT_FILE: "/dev/null" })).code).not.toBe(0);
  });
});
