import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** Folder of PostgreSQL's programs in Debian's package, newest version first; null if not installed. */
export const postgresPrograms: string | null = (() => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => path.join(root, version, "bin")).find((bin) => existsSync(`${bin}/initdb`));
  return found ?? null;
})();

export interface TestPostgres {
  readonly url: string;
  query(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts this test's own PostgreSQL on a socket in a temporary folder, not as root, which it refuses. */
async function startPostgres(): Promise<TestPostgres> {
  if (postgresPrograms === null) throw new Error("PostgreSQL is not installed");
  const folder = mkdtempSync(path.join(tmpdir(), "pg-"));
  const user = process.getuid?.() === 0 ? idsOf("postgres") : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const flags = ["-D", data, "-A", "trust", "-U", "test", "-E", "UTF8", "--no-sync"];
  execFileSync(path.join(postgresPrograms, "initdb"), flags, { ...user, cwd: folder, stdio: "ignore" });
  const settings = ["-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"];
  const server = spawn(path.join(postgresPrograms, "postgres"), ["-D", data, ...settings], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const url = `postgres://test@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  while (
    !(await query("SELECT 1").then(
      () => true,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    await wait(50);
  }
  return { url, query, stop: () => stop(server, folder) };
}

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, "../fixtures/sdl-server", name), "utf8");

/** All rows of its tables. Times are texts without a zone. */
export async function readRows(url: string): Promise<Record<string, any[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
    const rows: Record<string, any[]> = {};
    for (const { name } of tables.rows) {
      const read = await client.query(`SELECT coalesce(json_agg(t), '[]') AS rows FROM "${name}" AS t`);
      rows[name] = read.rows[0].rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}

export async function startSdlDatabase(rows = fixture("data.sql")): Promise<TestPostgres> {
  const postgres = await startPostgres();
  await fillSdlDatabase(postgres, rows);
  return postgres;
}

export async function fillSdlDatabase(
  postgres: Pick<TestPostgres, "query">,
  rows = fixture("data.sql"),
): Promise<void> {
  await postgres.query(
    `DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC; ${fixture("schema.sql")}`,
  );
  await postgres.query(rows);
}

function idsOf(user: string) {
  const id = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGINT");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
