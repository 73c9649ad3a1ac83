import "server-only";
import { buildCsvLine, csvStart } from "@/lib/platform/http/csv";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";
import type { ExportForm } from "@/lib/records/store/file-form";
import type { Environment } from "@/lib/vocabulary/terms";

/** Of exported files, by format. */
export const exportTypes = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

export async function exportRecords<R>(
  form: ExportForm<R>,
  records: readonly R[],
  { format, environment }: { readonly format: keyof typeof exportTypes; readonly environment: Environment },
  now: Date,
): Promise<FileAnswer> {
  const pieces = format === "csv" ? streamCsv(form, records) : streamJson(form, records);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: exportTypes[format],
    name: `${form.name}-${environment}-${now.toISOString().slice(0, 10)}.${format}`,
  });
}

async function* streamJson<R>({ member, toBody }: ExportForm<R>, records: readonly R[]): AsyncGenerator<string> {
  yield await Promise.resolve(`{"${member}":[`);
  let comma = "";
  for (const record of records) {
    const body = toBody(record);
    if (body === null) continue;
    yield `${comma}\n${JSON.stringify(body)}`;
    comma = ",";
  }
  yield "\n]}\n";
}

async function* streamCsv<R>({ columns, lines }: ExportForm<R>, records: readonly R[]): AsyncGenerator<string> {
  yield await Promise.resolve(csvStart + buildCsvLine(columns));
  for (const record of records) yield lines(record).map(buildCsvLine).join("");
}
