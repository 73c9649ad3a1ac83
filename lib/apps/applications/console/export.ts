import "server-only";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { findConsoleIds } from "@/lib/apps/applications/console/console-queries";
import type { ExportListQuery } from "@/lib/apps/applications/console/console-schema";
import { loadApplicationBatches, streamApplications } from "@/lib/apps/applications/queries";
import { exportTypes } from "@/lib/records/store/export";
import { buildCsvLine, csvStart, type CsvValue } from "@/lib/platform/http/csv";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";

type Column = readonly [name: string, read: (application: ApplicationJson) => CsvValue];

/** Members that fit into one cell. */
type PlainMember = {
  [Name in keyof ApplicationJson]-?: ApplicationJson[Name] extends CsvValue ? Name : never;
}[keyof ApplicationJson];
const plain = (...names: readonly PlainMember[]): readonly Column[] =>
  names.map((name) => [name, (application) => application[name]]);

const joined = (name: string, read: (application: ApplicationJson) => readonly string[]): Column => [
  name,
  (application) => read(application).join("; "),
];

/** Only the JSON contains permissions. */
const columns: readonly Column[] = [
  ...plain("id", "uuid", "short_uuid", "name", "vendor_name"),
  ["state", ({ is_blacklisted, approval_status }) => (is_blacklisted ? "blocked" : approval_status.toLowerCase())],
  ...plain("version_id", "developer_version", "platform", "platform_app_id"),
  ["category", ({ category }) => category.display_name],
  joined("categories", ({ categories }) => categories.map(({ display_name }) => display_name)),
  joined("countries", ({ countries }) => countries.map(({ iso }) => iso)),
  joined("display_names", ({ display_names }) => display_names),
  ["permission_count", ({ permissions }) => permissions.length],
  joined("services", ({ services }) => services.map(({ name }) => name)),
  ...plain("transport_type", "cloud_endpoint", "encryption_required", "is_auto_approved_enabled"),
  ...plain("is_administrator_app", "allow_unknown_rpc_passthrough", "hybrid_app_preference", "priority"),
  ...plain("denial_message"),
  ...plain("vendor_email", "tech_email", "tech_phone", "created_ts", "updated_ts"),
];

/** The newest versions in the order of the console's list; `now` is used in the file name. */
export async function exportApplications(query: ExportListQuery, now: Date): Promise<FileAnswer> {
  const ids = await findConsoleIds(query);
  const pieces = query.format === "csv" ? streamCsv(ids) : streamApplications(ids);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: exportTypes[query.format],
    name: `applications-${now.toISOString().slice(0, 10)}.${query.format}`,
  });
}

async function* streamCsv(ids: readonly number[]): AsyncGenerator<string> {
  yield csvStart + buildCsvLine(columns.map(([name]) => name));
  for await (const batch of loadApplicationBatches(ids)) {
    yield batch.map((application) => buildCsvLine(columns.map(([, read]) => read(application)))).join("");
  }
}
