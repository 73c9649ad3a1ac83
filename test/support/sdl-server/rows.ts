export type Rows = Record<string, any[]>;

const start = Date.UTC(2024, 0, 1, 10);
/** A time for PostgreSQL, without a zone. */
export const timeOf = (step: number) => new Date(start + step * 60_000).toISOString().slice(0, -1);

export const from = (rows: Rows, table: string): readonly any[] => rows[table] ?? [];

/** SQL that fills the tables one by one, in an order that satisfies their foreign keys. */
export function toSql(rows: Rows): string {
  const quoted = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
  const first = ["hmi_levels", "languages", "locale_lkp", "permissions", "categories", "countries", "service_types"];
  const owners = [
    ...["function_group_info", "message_group", "module_config", "app_info", "app_locale", "app_service_types"],
  ];
  return [...new Set([...first, ...owners, ...Object.keys(rows)])]
    .map(
      (table) =>
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${quoted(from(rows, table))});`,
    )
    .join("\n");
}
