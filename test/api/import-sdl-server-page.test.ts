import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSettings } from "@/lib/platform/settings/parse";
import { ApplicationModel } from "@/models/application";
import { databaseUri, emptyDatabase, withDatabase } from "@/test/support/database";
import { moveHere } from "@/test/support/migration";
import { postgresPrograms, startSdlDatabase, type TestPostgres } from "@/test/support/postgres";
import { temporaryFolder } from "@/test/support/temporary-folder";

const page = readFileSync(path.join(import.meta.dirname, "../../docs/migration-from-sdl-server.md"), "utf8");
const steps = page
  .slice(page.indexOf("## Step by step"), page.indexOf("## When something goes wrong"))
  .split(/^\d+\. /m)
  .slice(1)
  .map((step) =>
    [...step.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block.replaceAll(/^ {3}/gm, "")).join("\n"),
  );

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("X10, M4: the page's commands, one after the other on one machine", () => {
  withDatabase();
  const folder = temporaryFolder();
  const [old, here] = [path.join(folder, "old"), path.join(folder, "here")];
  let postgres: TestPostgres;
  let server: Server;
  let port = 0;

  beforeAll(async () => {
    await emptyDatabase();
    postgres = await startSdlDatabase();
    server = createServer((_request, response) => response.end(JSON.stringify({ data: [{ policy_table: {} }] })));
    await once(server.listen(0, "127.0.0.1"), "listening");
    ({ port } = server.address() as { port: number });
    for (const name of ["old/customizable/ca", "old/customizable/ssl", "here/customizable/ca", "here/customizable/ssl"])
      mkdirSync(path.join(folder, name), { recursive: true });
    const socket = new URL(postgres.url).searchParams.get("host") ?? "";
    writeFileSync(
      path.join(old, ".env"),
      [
        ...[`DB_USER=test`, `DB_PASSWORD="se cret"`, `DB_HOST=${encodeURIComponent(socket)}`, "DB_PORT=5432"],
        ...["DB_DATABASE=postgres", "STAGING_PG_HOST=x", "CACHE_MODULE=redis", "RUN_STATE=production"],
        ...["POLICY_SERVER_HOST=policy.example.com", `POLICY_SERVER_PORT=${port}`, "POLICY_SERVER_PORT_SSL=8443"],
        ...["SSL_CERTIFICATE_FILENAME=cert.pem", "SSL_PRIVATE_KEY_FILENAME=key.pem"],
        ...["CA_PRIVATE_KEY_FILENAME=ca.key", "CA_CERTIFICATE_FILENAME=ca.crt", "CERTIFICATE_COMMON_NAME=Example"],
        ...["CERTIFICATE_PASSPHRASE=a passphrase of the old server", "NOTIFY_APP_REVIEW_FREQUENCY=REALTIME"],
        ...[
          "SHAID_PUBLIC_KEY=public",
          "SHAID_SECRET_KEY=secret",
          "AUTH_TYPE=basic",
          "BASIC_AUTH_PASSWORD=twelve-characters",
        ],
      ].join("\n"),
    );
    for (const name of ["ca/ca.key", "ca/ca.crt", "ssl/cert.pem", "ssl/key.pem"])
      writeFileSync(path.join(old, "customizable", name), name);
  });
  afterAll(async () => {
    server.close();
    await postgres.stop();
  });

  let script = "";
  /** Follows a step in the shell of all steps before; what it would run with npm is returned. */
  function follow(number: number): string[][] {
    script += (steps[number - 1] ?? "")
      .replace("OLD=/opt/sdl_server", `OLD=${old}`)
      .replace(/^MONGODB_URI=.*$/m, `MONGODB_URI='${databaseUri()}'`);
    const calls = path.join(folder, "calls");
    const prelude = `set -eu; npm() { printf '%s\\0' "$@" >> "${calls}"; printf '\\n' >> "${calls}"; }\n: > "${calls}"\n`;
    const before = countCalls();
    execFileSync("bash", ["-c", prelude + script], { cwd: here });
    const found = readFileSync(calls, "utf8").split("\n").slice(0, -1);
    calledSoFar = found.length;
    return found.slice(before).map((line) => line.split("\0").slice(0, -1));
  }
  let calledSoFar = 0;
  const countCalls = () => calledSoFar;
  const env = () => parseEnv(readFileSync(path.join(here, ".env"), "utf8"));
  function settingsOf(from: NodeJS.Dict<string>) {
    const readable = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const parsed = parseSettings({ NODE_ENV: "test", ...from }, { root: here, readable });
    if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
    return parsed;
  }
  async function run([, command = "", dashes = "", ...args]: readonly string[]) {
    expect([command, dashes, args[0]]).toEqual(["policy", "--", "import-sdl-server"]);
    const isFile = (index: number) => ["--report", "--postgres-password-file"].includes(args[index - 1] ?? "");
    return moveHere(args.slice(1).map((word, index) => (isFile(index + 1) ? path.join(here, word) : word)));
  }

  it("1 to 3: settings that both can run with, and the files of certificates", () => {
    follow(1);
    expect(statSync(path.join(here, "postgres-password")).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(here, "postgres-password"), "utf8")).toBe("se cret\n");
    follow(2);
    expect(statSync(path.join(here, ".env")).mode & 0o777).toBe(0o600);
    expect(Object.keys(env()).filter((name) => /^(DB|CACHE|STAGING)_|RUN_STATE/.test(name))).toEqual([]);
    follow(3);
    const { settings, warnings } = settingsOf(env());
    expect(settings).toMatchObject({
      policyServerPort: 3001,
      policyServerHost: "policy.example.com",
      tls: null,
      directory: "off",
      authType: "basic",
      // M4: the module certificate stays in the tables.
      certificateGeneration: { enabled: true, caPrivateKeyPath: path.join(here, "customizable/ca/ca.key") },
      mongodbUri: databaseUri(),
    });
    expect(warnings.filter((line) => line.includes("no longer applicable"))).toEqual([]);
  });

  it("4 to 6: looks, carries over, and catches up", async () => {
    const [look = [], carry = []] = follow(4);
    expect(await run(look)).toMatchObject({ code: 0, out: expect.stringMatching(/^Would be imported:\n/) });
    expect(await ApplicationModel.countDocuments()).toBe(0);
    expect((await run(carry)).out).toMatch(/^Imported:\n/);
    expect(await ApplicationModel.countDocuments()).toBe(5);
    expect(follow(5)).toEqual([["start"]]);
    await postgres.query("UPDATE app_info SET approval_status = 'ACCEPTED' WHERE id = 2");
    const [catchUp = []] = follow(6);
    expect((await run(catchUp)).out).toContain("STAGING becomes ACCEPTED");
    for (const name of ["inventory", "report", "catch-up"]) {
      const file = path.join(here, `${name}.json`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      // The server that stands for the other one knows no table: every difference is named, and nothing else.
      expect(readFileSync(file, "utf8")).not.toContain("se cret");
    }
  });

  it("7 and 8: the settings of the other server, and no password left", () => {
    follow(7);
    expect(settingsOf(env()).settings).toMatchObject({
      policyServerPort: port,
      tls: { port: 8443, certificatePath: path.join(here, "customizable/ssl/cert.pem") },
      directory: "shaid",
      notifyAppReviewFrequency: "REALTIME",
      mongodbUri: databaseUri(),
    });
    follow(8);
    expect(statSync(path.join(here, "postgres-password"), { throwIfNoEntry: false })).toBeUndefined();
  });
});
