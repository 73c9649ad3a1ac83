/** What another server's database lacks, in a sentence (`exchange.md` X6d). */
import type { z } from "zod";
import { errorNamed } from "@/lib/platform/errors";
import { sdlTables, type SdlTableName } from "@/lib/exchange/migration/tables";
import { namesOf } from "@/lib/labels/members";

/** What of a database can be read without naming a schema: tables with their columns. */
export const columnsQuery = `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c
  ON c.oid = a.attrelid WHERE pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace <> 'pg_catalog'::regnamespace`;

/** A database is not that of an sdl_server 3.1. Its message is a sentence for people. */
export class SchemaRefusal extends Error {
  override readonly name = "SchemaRefusal";
}
export const isSchemaRefusal = errorNamed<SchemaRefusal>("SchemaRefusal");

export interface FoundColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Requires all tables and columns that are read.
 *
 * @throws SchemaRefusal, which names those that are missing
 */
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

/** A column that may be left out of a row may be missing. */
function requiredColumns(name: SdlTableName): string[] {
  return Object.entries<z.ZodType>(sdlTables[name].shape).flatMap(([column, shape]) =>
    shape.safeParse(undefined).success ? [] : [column],
  );
}
