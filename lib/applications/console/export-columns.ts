import { type ApplicationJson } from "@/lib/applications/answer-schema";
import { type CsvValue } from "@/lib/http/csv";

/** Values of a list in one cell. */
const joined = (values: readonly string[]) => values.join("; ");

/** The table of an export; the permissions are in the JSON only. */
export const exportColumns: readonly (readonly [name: string, read: (application: ApplicationJson) => CsvValue])[] = [
  ["id", ({ id }) => id],
  ["uuid", ({ uuid }) => uuid],
  ["short_uuid", ({ short_uuid }) => short_uuid],
  ["name", ({ name }) => name],
  ["vendor_name", ({ vendor_name }) => vendor_name],
  ["state", ({ is_blacklisted, approval_status }) => (is_blacklisted ? "blocked" : approval_status.toLowerCase())],
  ["version_id", ({ version_id }) => version_id],
  ["developer_version", ({ developer_version }) => developer_version],
  ["platform", ({ platform }) => platform],
  ["platform_app_id", ({ platform_app_id }) => platform_app_id],
  ["category", ({ category }) => category.display_name],
  ["categories", ({ categories }) => joined(categories.map(({ display_name }) => display_name))],
  ["countries", ({ countries }) => joined(countries.map(({ iso }) => iso))],
  ["display_names", ({ display_names }) => joined(display_names)],
  ["permission_count", ({ permissions }) => permissions.length],
  ["services", ({ services }) => joined(services.map(({ name }) => name))],
  ["transport_type", ({ transport_type }) => transport_type],
  ["cloud_endpoint", ({ cloud_endpoint }) => cloud_endpoint],
  ["encryption_required", ({ encryption_required }) => encryption_required],
  ["is_auto_approved_enabled", (application) => application.is_auto_approved_enabled],
  ["is_administrator_app", ({ is_administrator_app }) => is_administrator_app],
  ["allow_unknown_rpc_passthrough", (application) => application.allow_unknown_rpc_passthrough],
  ["hybrid_app_preference", ({ hybrid_app_preference }) => hybrid_app_preference],
  ["denial_message", ({ denial_message }) => denial_message],
  ["vendor_email", ({ vendor_email }) => vendor_email],
  ["tech_email", ({ tech_email }) => tech_email],
  ["tech_phone", ({ tech_phone }) => tech_phone],
  ["created_ts", ({ created_ts }) => created_ts],
  ["updated_ts", ({ updated_ts }) => updated_ts],
];
