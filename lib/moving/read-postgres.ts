import { readTables, type SdlData, type SdlTableName, sdlTables } from "@/lib/moving/tables";
import { namesOf } from "@/lib/words/members";

/**
 * Reads the database of an sdl_server (`exchange.md` X6), all tables at one point in time and nothing but reads.
 *
 * @param url connection string, e.g. `postgres://user:password@host/database`
 * @throws Error with a sentence when it cannot be reached, or is not the database of an sdl_server
 */
export async function readPostgres(url: string): Promise<SdlData> {
  const { default: pg } = await import("pg");
  // Columns of times have no zone; that of the other server is UTC unless it was set otherwise.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => new Date(`${text.replace(" ", "T")}Z`));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, types });
  await client.connect();
  try {
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables = new Map<SdlTableName, readonly unknown[]>();
    for (const name of namesOf(sdlTables)) tables.set(name, (await client.query(`SELECT * FROM "${name}"`)).rows);
    await client.query("COMMIT");
    return readTables((name) => tables.get(name) ?? []);
  } finally {
    await client.end();
  }
}
