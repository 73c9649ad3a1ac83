import { isUtf8 } from "node:buffer";
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { garbledNames, libraries, places, snapshotWith, writeJson } from "@/test/support/phones";
import { freePort, startServer, type TestServer } from "@/test/support/server";
import { findTool } from "@/test/support/tools";
import { sampleRequest } from "@/test/support/vehicle";

const hasCurl =
  findTool("curl", "requests of vehicles with curl, and the commands of docs/connecting-vehicles.md") !== null;
const folder = mkdtempSync(path.join(tmpdir(), "connecting-vehicles-"));
const name = `test-${randomBytes(8).toString("hex")}`;
const certificate = path.resolve("customizable/ssl", `${name}.crt`);
const key = path.resolve("customizable/ssl", `${name}.key`);
/** What trusts the certificate of the server: openssl, curl, Node. */
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
  for (const file of [certificate, key, folder]) rmSync(file, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly out: string;
}
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
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
  /** Runs the one command that holds a text as it stands there, but for the address and where a file goes. */
  const runDocumented = (part: string, env: Readonly<Record<string, string>> = trust) => {
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

function isNoJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return false;
  } catch {
    return true;
  }
}

describe.skipIf(!hasCurl)("what phones do, with curl", () => {
  it("P1, Q1, Q2: each of 64 bodies is answered 200, with the entries of its ids", async () => {
    const ids = Object.keys(JSON.parse(sampleRequest("10-apps")).policy_table.app_policies);
    const bodies = garbledNames.flatMap((garbled, at) =>
      [true, false].map((isEscaped) => {
        const text = writeJson(snapshotWith(ids, garbled, places[at % places.length] ?? "device"), isEscaped);
        return { text, library: "Android, PROPRIETARY" };
      }),
    );
    for (const library of ["Android, HTTP", "iOS, PROPRIETARY"]) {
      for (const garbled of ['My "App"', "高德地图"]) {
        bodies.push({ text: writeJson(snapshotWith(ids, garbled, "nickname"), false), library });
      }
    }
    expect(bodies).toHaveLength(64);
    const posted = bodies.map(({ text, library }) => libraries[library]?.(text) ?? Buffer.alloc(0));
    // What it is about: bodies that are no JSON, and bytes that are no UTF-8.
    expect(posted.filter(isNoJson).length).toBeGreaterThan(10);
    expect(posted.filter((body) => !isUtf8(body)).length).toBeGreaterThan(5);
    const expected = [...new Set([...ids, "default", "device", "pre_DataConsent"])].toSorted();
    for (const [at, body] of posted.entries()) {
      const file = path.join(folder, String(at));
      writeFileSync(file, body);
      const post = ["-H", "Content-Type: application/json", "--data-binary", `@${file}`];
      const url = `${server.origin}/api/v1/production/policy`;
      const { out } = await run("curl", ["-sS", "--compressed", "-w", "\n%{http_code}", ...post, url]);
      const end = out.lastIndexOf("\n");
      expect([at, out.slice(end + 1)]).toEqual([at, "200"]);
      const [{ policy_table: table }] = JSON.parse(out.slice(0, end)).data;
      expect([at, Object.keys(table.app_policies).toSorted()]).toEqual([at, expected]);
    }
  });

  it("Q6: HTTPS on the plain port is told in the log", async () => {
    expect((await run("curl", ["-sS", `https://127.0.0.1:${server.port}/health`], trust)).code).not.toBe(0);
    const sentence = "TLS on the plain port. Phones ask by HTTPS on this port, whatever is announced";
    await expect.poll(() => server.log().map(({ msg }) => msg)).toContain(sentence);
  });
});
