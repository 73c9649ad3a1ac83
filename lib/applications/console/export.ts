import "server-only";
import { findConsoleIds } from "@/lib/applications/console/console-queries";
import { type ExportListQuery } from "@/lib/applications/console/console-schema";
import { exportColumns } from "@/lib/applications/console/export-columns";
import { loadApplicationBatches } from "@/lib/applications/queries";
import { streamApplications } from "@/lib/applications/stream";
import { buildCsvLine, csvStart } from "@/lib/http/csv";
import { FileAnswer } from "@/lib/http/file-answer";
import { StreamedData } from "@/lib/http/streamed-data";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/**
 * Exports every app that the console's list shows under these filters, in its order, by the newest versions: as a table
 * for spreadsheets, or as the records of the API.
 *
 * @param now for the name of the file
 * @throws DatabaseUnavailable
 */
export async function exportApplications(query: ExportListQuery, now: Date): Promise<FileAnswer> {
  const ids = await findConsoleIds(query);
  const pieces = query.format === "csv" ? streamCsv(ids) : streamApplications(ids);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: types[query.format],
    name: `applications-${now.toISOString().slice(0, 10)}.${query.format}`,
  });
}

async function* streamCsv(ids: readonly number[]): AsyncGenerator<string> {
  yield csvStart + buildCsvLine(exportColumns.map(([name]) => name));
  for await (const batch of loadApplicationBatches(ids)) {
    yield batch.map((application) => buildCsvLine(exportColumns.map(([, read]) => read(application)))).join("");
  }
}
