import { z } from "zod";
import { type SdlData, type SdlTableName, sdlTables } from "@/lib/moving/tables";
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
    const tables: Partial<Record<SdlTableName, unknown>> = {};
    for (const name of namesOf(sdlTables)) {
      const { rows } = await client.query(`SELECT * FROM "${name}"`);
      tables[name] = readRows(name, rows);
    }
    await client.query("COMMIT");
    // Every table was read above, each by the shape of its name.
    return tables as SdlData;
  } finally {
    await client.end();
  }
}

function readRows(name: SdlTableName, rows: readonly unknown[]): unknown {
  const read = z.array(sdlTables[name]).safeParse(rows);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const column = String(issue?.path.at(-1) ?? "");
  throw new Error(`The table ${name} is not that of an sdl_server: its column ${column} ${issue?.message ?? ""}`);
}
