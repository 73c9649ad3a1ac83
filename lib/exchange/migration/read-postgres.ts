import { describePostgresError, type PostgresAddress } from "@/lib/exchange/migration/postgres-address";
import { readTables, type SdlData, type SdlTableName, sdlTables } from "@/lib/exchange/migration/convert/tables";
import { namesOf } from "@/lib/vocabulary/members";
import type { z } from "zod";

/** `exchange.md` X6. One point in time, read-only. Throws Error with a sentence if it is no sdl_server 3.1. */
export async function readPostgres(address: PostgresAddress): Promise<SdlData> {
  const { default: pg } = await import("pg");
  // The time columns have no zone. The other server writes UTC unless it was configured otherwise.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) =>
    text.endsWith("infinity") ? text : new Date(`${text.replace(" ", "T")}Z`),
  );
  const client = new pg.Client({ connectionString: address.url, connectionTimeoutMillis: 10_000, types });
  // A broken connection fails the running query; without a listener the event would end the process.
  client.on("error", () => undefined);
  const tables = new Map<SdlTableName, readonly unknown[]>();
  try {
    await client.connect();
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    requireSchema((await client.query<FoundColumn>(columnsQuery)).rows, address.database);
    for (const name of namesOf(sdlTables)) tables.set(name, (await client.query(`SELECT * FROM "${name}"`)).rows);
    await client.query("COMMIT");
  } catch (error) {
    throw error instanceof SchemaRefusal ? error : describePostgresError(error, address);
  } finally {
    await client.end().catch(() => undefined);
  }
  return readTables((name) => tables.get(name) ?? []);
}

/** What can be read without naming a schema. */
export const columnsQuery = `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c
  ON c.oid = a.attrelid WHERE pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace <> 'pg_catalog'::regnamespace`;

/** The message is for people. */
export class SchemaRefusal extends Error {
  override readonly name = "SchemaRefusal";
}

export interface FoundColumn {
  readonly table: string;
  readonly column: string;
}

/** Throws SchemaRefusal, which names the missing tables and columns. */
export function requireSchema(found: readonly FoundColumn[], database: string): void {
  const columns = new Map<string, Set<string>>();
  for (const { table, column } of found) columns.set(table, (columns.get(table) ?? new Set()).add(column));
  const tables = namesOf(sdlTables).filter((name) => !columns.has(name));
  if (tables.length === namesOf(sdlTables).length) {
    throw new SchemaRefusal(
      `The database ${database} holds no tables of an sdl_server that this user can see: correct the name at the end of ` +
        "--postgres (DB_DATABASE of the other server), or the user (DB_USER)",
    );
  }
  const missing = [
    ...(tables.length === 0 ? [] : [`the table${tables.length > 1 ? "s" : ""} ${tables.join(", ")}`]),
    ...namesOf(sdlTables).flatMap((name) => {
      const there = columns.get(name);
      const absent = there === undefined ? [] : requiredColumns(name).filter((column) => !there.has(column));
      return absent.length === 0 ? [] : [`the column${absent.length > 1 ? "s" : ""} ${absent.join(", ")} of ${name}`];
    }),
  ];
  if (missing.length === 0) return;
  throw new SchemaRefusal(
    `The database ${database} is that of an older sdl_server: it lacks ${missing.join(", ")}. ` +
      "Start sdl_server 3.1 on it once, which brings it up to date, and try again",
  );
}

/** Columns that are optional in a row may be missing. */
function requiredColumns(name: SdlTableName): string[] {
  return Object.entries<z.ZodType>(sdlTables[name].shape).flatMap(([column, shape]) =>
    shape.safeParse(undefined).success ? [] : [column],
  );
}
