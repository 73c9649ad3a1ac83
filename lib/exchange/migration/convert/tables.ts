/** `exchange.md` X6; row by row as returned by PostgreSQL. */
import { z } from "zod";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { namesOf, recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { notificationPriorities } from "@/lib/vocabulary/terms";

/** Head units must not receive NUL (rule C10). */
const text = z.string().transform((value) => value.replaceAll("\0", "?"));
const nullableText = text.nullable();
const time = z.coerce.date();
const yes = z.boolean();
const maybe = z
  .boolean()
  .nullable()
  .transform((value) => value ?? false);
const status = z.enum(["STAGING", "PRODUCTION"]);
const record = { id: z.int(), status, created_ts: time, updated_ts: time };

const count = z.int();
const notifications = (prefix: string) =>
  notificationPriorities.map((name) => `${prefix}${name.toLowerCase()}_notifications`);
const counts = Object.fromEntries(
  [...notifications(""), ...notifications("subtle_")].map((name) => [name, count]),
) as Readonly<Record<string, z.ZodInt>>;

/** Other columns are not read. */
export const sdlTables = {
  function_group_info: z.object({
    ...record,
    property_name: text,
    user_consent_prompt: nullableText,
    description: nullableText,
    is_deleted: yes,
    ...toSnakeMembers(recordOf(groupFlags, () => yes)),
    is_widget_group: maybe,
  }),
  function_group_hmi_levels: z.object({ function_group_id: z.int(), permission_name: text, hmi_level: text }),
  function_group_parameters: z.object({ function_group_id: z.int(), rpc_name: text, parameter: text }),
  message_group: z.object({ ...record, message_category: text, is_deleted: yes }),
  message_text: z.object({
    id: z.int(),
    message_group_id: z.int(),
    language_id: nullableText,
    tts: nullableText,
    line1: nullableText,
    line2: nullableText,
    text_body: nullableText,
    label: nullableText,
  }),
  custom_vehicle_data: z.object({
    ...record,
    parent_id: z.int().nullable(),
    name: text,
    type: nullableText,
    key: nullableText,
    mandatory: nullableText,
    min_length: nullableText,
    max_length: nullableText,
    min_size: nullableText,
    max_size: nullableText,
    min_value: nullableText,
    max_value: nullableText,
    array: nullableText,
    is_deleted: yes,
  }),
  module_config: z.looseObject({
    ...record,
    ...counts,
    preloaded_pt: yes,
    exchange_after_x_ignition_cycles: count,
    exchange_after_x_kilometers: count,
    exchange_after_x_days: count,
    timeout_after_x_seconds: count,
    endpoint_0x04: text,
    query_apps_url: text,
    lock_screen_default_url: text,
    custom_vehicle_data_mapping_url: text,
    lock_screen_dismissal_enabled: yes,
    private_key: nullableText,
    certificate: nullableText,
    expiration_ts: time.nullable(),
  }),
  module_config_retry_seconds: z.object({ id: z.int(), seconds: z.int(), order: z.int() }),
  module_config_endpoint_property: z.object({
    module_config_id: z.int(),
    endpoint_name: text,
    property_name: text,
    property_value: text,
  }),
  app_info: z.looseObject({
    id: z.int(),
    app_uuid: text,
    version_id: z.int().nullable(),
    approval_status: z.enum(["PENDING", "STAGING", "ACCEPTED", "LIMITED"]),
    denial_message: nullableText,
    encryption_required: yes,
    category_id: z.int().nullable(),
    created_ts: time,
    updated_ts: time,
    size_compressed_bytes: z.int().nullable(),
    size_decompressed_bytes: z.int().nullable(),
  }),
  app_categories: z.object({ app_id: z.int(), category_id: z.int() }),
  categories: z.object({ id: z.int(), display_name: text, name: nullableText }),
  app_countries: z.object({ app_id: z.int(), country_iso: text }),
  countries: z.object({ iso: text, name: text }),
  app_permissions: z.object({ app_id: z.int(), permission_name: text, hmi_level: nullableText }),
  display_names: z.object({ app_id: z.int(), display_text: text }),
  app_locale: z.object({ id: z.int(), app_id: z.int(), locale: text, name: text, vr_names: z.array(text).nullable() }),
  app_locale_ttsname: z.object({ app_locale_id: z.int(), chunk_type: text, chunk_text: text }),
  app_service_types: z.object({ app_id: z.int(), service_type_name: text }),
  app_service_type_names: z.object({ app_id: z.int(), service_type_name: text, service_name: text }),
  app_service_type_permissions: z.object({ app_id: z.int(), service_type_name: text, permission_name: text }),
  service_types: z.object({ name: text, display_name: text }),
  app_function_groups: z.object({ app_id: z.int(), property_name: text }),
  app_oem_enablements: z.object({ app_uuid: text, key: text, created_ts: time }),
  app_hybrid_preference: z.object({ app_uuid: text, hybrid_preference: text }),
  app_certificates: z.object({ app_uuid: text, certificate: text, expiration_ts: time, created_ts: time }),
} as const;

export type SdlTableName = keyof typeof sdlTables;
export type SdlRow<Name extends SdlTableName> = z.output<(typeof sdlTables)[Name]>;
export type SdlData = { readonly [Name in SdlTableName]: readonly SdlRow<Name>[] };

export interface Loss {
  readonly table: SdlTableName;
  /** What it is, e.g. `group Location-1`. */
  readonly what: string;
  readonly reason: string;
  /** The exact path of the member that a policy table lacks below it, e.g. `languages.es-en`; undefined: all of it. */
  readonly at?: string;
  /** Its new name, e.g. `group Location-1`; undefined: it keeps its name. */
  readonly now?: string;
  /** Whether no head unit could use it, so that nothing is really lost. */
  readonly isUnused?: boolean;
}

export type ConversionReport = (loss: Loss) => void;

/** Throws Error with a sentence if the rows are not those of an sdl_server. */
export function readTables(rowsOf: (name: SdlTableName) => readonly unknown[]): SdlData {
  // The cast is safe: each table is read with the shape of its name.
  return recordOf(namesOf(sdlTables), (name) => readRows(name, rowsOf(name))) as SdlData;
}

function readRows(name: SdlTableName, rows: readonly unknown[]): unknown {
  const read = z.array(sdlTables[name]).safeParse(rows);
  if (read.success) return read.data;
  throw new Error(describeRow(name, rows, read.error.issues[0]));
}

interface RowIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describeRow(table: SdlTableName, rows: readonly unknown[], issue: RowIssue | undefined): string {
  const [index = 0, column = ""] = issue?.path ?? [];
  const row = new Map(Object.entries(rows[Number(index)] ?? {}));
  const name = ["id", "app_uuid", "app_id"].find((one) => row.has(one));
  const which = name === undefined ? `row ${Number(index) + 1}` : `the row with ${name} ${String(row.get(name))}`;
  const value: unknown = row.get(String(column));
  const problem =
    typeof value === "string" && /^-?infinity$/.test(value)
      ? `${String(column)} is ${value}, and a time is needed`
      : `${String(column)} cannot be used (${issue?.message ?? "unknown reason"})`;
  return `The table ${table} of the other server: in ${which} ${problem}. Correct it there, and try again`;
}
