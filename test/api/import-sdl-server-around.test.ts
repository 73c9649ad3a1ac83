import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emptyDatabase } from "@/test/support/database";
import { moveHere } from "@/test/support/migration";
import { postgresPrograms } from "@/test/support/postgres";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

const password = "quite#a@secret/one";

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("import-sdl-server: report, password and sentences", () => {
  const { postgres, folder } = withSdlDatabase();
  const inFolder = (name: string) => path.join(folder, name);
  beforeEach(() => emptyDatabase());

  function address(change: (url: URL) => void): string {
    const url = new URL(postgres.url);
    change(url);
    return url.href;
  }
  const dryRun = (url: string, environment = {}, ...args: string[]) =>
    moveHere(["--postgres", url, "--dry-run", ...args], environment);

  describe("X6c: the report", () => {
    const reportOf = (file: string) => JSON.parse(readFileSync(file, "utf8"));

    it("M6: one that cannot be written is refused before anything is read", async () => {
      mkdirSync(inFolder("folder"));
      for (const [file, reason] of [
        [inFolder("none/report.json"), "its folder does not exist"],
        [inFolder("folder"), "it is a folder"],
      ] as const) {
        // Nothing listens there: whoever reads first says so.
        const { code, err } = await dryRun("postgres://x@127.0.0.1:1/x", {}, "--report", file);
        expect([code, err]).toEqual([1, `The report cannot be written to ${file}: ${reason}\n`]);
      }
      expect(existsSync(inFolder("folder.part"))).toBe(false);
    });

    it("M6: says how far a run came that failed, and why", async () => {
      const file = inFolder("failed.json");
      const { err } = await dryRun("postgres://x@127.0.0.1:1/x", {}, "--report", file);
      expect(reportOf(file)).toMatchObject({ state: "failed", failed_after: "started", error: err.trim() });
    });

    it("M8: only its owner can read it, even if others could read the one before", async () => {
      const file = inFolder("mode.json");
      writeFileSync(file, "{}");
      chmodSync(file, 0o666);
      expect((await dryRun(postgres.url, {}, "--report", file)).code).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(reportOf(file)).toMatchObject({ state: "done", command: "import", dry_run: true });
    });

    it("M8: holds no key and no password, and neither does --json", async () => {
      const key = "-----BEGIN PRIVATE KEY-----\nMIIEsecret\n-----END PRIVATE KEY-----";
      await postgres.query(`UPDATE module_config SET certificate = '${key}', private_key = '${key}'`);
      const old = createServer((_request, response) => {
        const module_config = { certificate: `CERT\n${key}`, endpoints: { note: key } };
        response.end(JSON.stringify({ data: [{ policy_table: { module_config } }] }));
      }).listen(0, "127.0.0.1");
      await once(old, "listening");
      const { port } = old.address() as { port: number };
      const file = inFolder("secrets.json");
      const url = address((one) => (one.password = "in-the-url"));
      const told = await moveHere([
        ...["--postgres", url, "--report", file, "--json"],
        ...["--verify", `http://127.0.0.1:${port}`],
      ]);
      old.close();
      await postgres.query("UPDATE module_config SET certificate = 'CERT', private_key = 'KEY'");
      const report = readFileSync(file, "utf8");
      expect(JSON.parse(report).verification.differences.length).toBeGreaterThan(0);
      for (const text of [report, told.out, told.err]) {
        expect(text).not.toContain("MIIEsecret");
        expect(text).not.toContain("in-the-url");
      }
      expect(told.err).toContain("Other users of this machine can see the password in --postgres");
    });
  });

  describe("X6d: the password", () => {
    beforeAll(async () => {
      await postgres.query(`CREATE ROLE locked LOGIN SUPERUSER PASSWORD '${password}'`);
      await postgres.query(`DO $$ BEGIN EXECUTE format('COPY (VALUES (''local all locked scram-sha-256''),
        (''local all all trust'')) TO %L', current_setting('hba_file')); END $$; SELECT pg_reload_conf()`);
      // The server takes its time to read the file.
      while ((await dryRun(locked())).code === 0);
    });
    const locked = () => address((url) => (url.username = "locked"));

    it.each([
      ["PGPASSWORD", { PGPASSWORD: password }, []],
      ["PGPASSWORD_FILE", { PGPASSWORD_FILE: inFolder("password") }, []],
      ["--postgres-password-file", {}, ["--postgres-password-file", inFolder("password")]],
    ])("M9: comes from %s, and is told nobody", async (_, environment, args) => {
      writeFileSync(inFolder("password"), `${password}\n`);
      const report = inFolder("password.json");
      const { code, err, out } = await dryRun(locked(), environment, "--report", report, ...args);
      expect([code, out]).toEqual([0, expect.stringMatching(/^Would be imported:\n/)]);
      expect(`${out}${err}${readFileSync(report, "utf8")}`).not.toContain(password);
    });

    it("M9: a wrong one, none, and two are told in a sentence", async () => {
      writeFileSync(inFolder("password"), `${password}\n`);
      const file = ["--postgres-password-file", inFolder("password")] as const;
      const errors = [
        (await dryRun(locked(), { PGPASSWORD: "wrong" })).err,
        (await dryRun(locked())).err,
        (await dryRun(locked(), { PGPASSWORD: "wrong" }, ...file)).err,
        (await dryRun(locked(), {}, "--postgres-password-file", inFolder("absent"))).err,
      ];
      expect(errors).toEqual([
        expect.stringMatching(/^PostgreSQL at \/\S+ refuses the password of the user locked: give it in PGPASSWORD/),
        expect.stringMatching(/^PostgreSQL at \/\S+ asks for a password of the user locked: give it in PGPASSWORD/),
        "PGPASSWORD and --postgres-password-file must not both be set\n",
        `--postgres-password-file names a file that cannot be read: ${inFolder("absent")}\n`,
      ]);
      expect(errors.join("")).not.toContain("wrong\n");
    });
  });

  describe("X6d: M9: sentences instead of what the driver says", () => {
    it.each([
      ["postgres//x", "--postgres must be an address such as postgres://user@host:5432/database"],
      ["postgres://user:pa#ss@host/db", "--postgres must be an address such as"],
      ["postgres://us%er@host/db", "--postgres must be an address such as"],
      ["postgres://x@127.0.0.1:1/x", "Nothing answers at 127.0.0.1:1: start PostgreSQL"],
      ["postgres://x@localhost:1/x", "Nothing answers at localhost:1: start PostgreSQL"],
      ["postgres://x@no-such-host.invalid/x", "The host of no-such-host.invalid:5432"],
      ["postgres:///x?host=/nowhere", "There is no socket of PostgreSQL in /nowhere"],
    ])("%s", async (url, sentence) => {
      const { code, err } = await dryRun(url);
      expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
      expect(err).not.toContain("pa#ss");
    });

    it("a database that is not there, and one of somebody else", async () => {
      const other = (name: string) => dryRun(address((url) => (url.pathname = `/${name}`)));
      await postgres.query("CREATE DATABASE shop");
      expect((await other("shop")).err).toMatch(
        /^The database shop holds no tables of an sdl_server that this user can see: correct/,
      );
      expect((await other("nothing")).err).toMatch(/^There is no database nothing at \/\S+: correct the name/);
    });

    it("a user that may not read", async () => {
      await postgres.query("CREATE ROLE stranger LOGIN");
      const { err } = await dryRun(address((url) => (url.username = "stranger")));
      expect(err).toMatch(/^The user stranger may not read the other server's tables: permission denied/);
    });

    it("an older schema: which tables and columns are missing", async () => {
      await postgres.query(
        `ALTER TABLE app_certificates RENAME TO x; ALTER TABLE app_info RENAME encryption_required TO y;
        ALTER TABLE function_group_info RENAME is_widget_group TO z; ALTER TABLE function_group_info RENAME is_device TO w`,
      );
      const { code, err } = await dryRun(postgres.url);
      await postgres.query(
        `ALTER TABLE x RENAME TO app_certificates; ALTER TABLE app_info RENAME y TO encryption_required;
        ALTER TABLE function_group_info RENAME z TO is_widget_group; ALTER TABLE function_group_info RENAME w TO is_device`,
      );
      expect([code, err]).toEqual([
        1,
        "The database postgres is that of an older sdl_server: it lacks the table app_certificates, the columns is_device, " +
          "is_widget_group of function_group_info, the column encryption_required of app_info. Start sdl_server 3.1 on it " +
          "once, which brings it up to date, and try again\n",
      ]);
    });

    it("a time that is none", async () => {
      await postgres.query("UPDATE app_oem_enablements SET created_ts = 'infinity' WHERE key = 'auto_approve'");
      const { code, err } = await dryRun(postgres.url);
      await postgres.query("UPDATE app_oem_enablements SET created_ts = '2024-01-01' WHERE key = 'auto_approve'");
      expect([code, err]).toEqual([
        1,
        "The table app_oem_enablements of the other server: in the row with app_uuid aaaaaaaa-0000-4000-8000-000000000001 " +
          "created_ts is infinity, and a time is needed. Correct it there, and try again\n",
      ]);
    });
  });
});
