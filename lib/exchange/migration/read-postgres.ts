import { describePostgresError, type PostgresAddress } from "@/lib/exchange/migration/postgres-address";
import { columnsQuery, type FoundColumn, isSchemaRefusal, requireSchema } from "@/lib/exchange/migration/sdl-schema";
import { readTables, type SdlData, type SdlTableName, sdlTables } from "@/lib/exchange/migration/tables";
import { namesOf } from "@/lib/labels/members";

/**
 * Reads the database of an sdl_server (`exchange.md` X6), all tables at one point in time and nothing but reads.
 *
 * @throws Error with a sentence when it cannot be reached, or is not the database of an sdl_server 3.1
 */
export async function readPostgres(address: PostgresAddress): Promise<SdlData> {
  const { default: pg } = await import("pg");
  // Columns of times have no zone; that of the other server is UTC unless it was set otherwise.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) =>
    text.endsWith("infinity") ? text : new Date(`${text.replace(" ", "T")}Z`),
  );
  const client = new pg.Client({ connectionString: address.url, connectionTimeoutMillis: 10_000, types });
  // A connection that breaks fails the query under way; the event alone would end the process.
  client.on("error", () => undefined);
  const tables = new Map<SdlTableName, readonly unknown[]>();
  try {
    await client.connect();
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    requireSchema((await client.query<FoundColumn>(columnsQuery)).rows, address.database);
    for (const name of namesOf(sdlTables)) tables.set(name, (await client.query(`SELECT * FROM "${name}"`)).rows);
    await client.query("COMMIT");
  } catch (error) {
    throw isSchemaRefusal(error) ? error : describePostgresError(error, address);
  } finally {
    await client.end().catch(() => undefined);
  }
  return readTables((name) => tables.get(name) ?? []);
}
