import "server-only";
import { buildCsvLine, csvStart, type CsvValue } from "@/lib/platform/http/csv";
import { FileAnswer } from "@/lib/platform/http/file-answer";
import { StreamedData } from "@/lib/platform/http/streamed-data";
import type { VersionedRecord } from "@/lib/content/records/views";
import type { Environment } from "@/lib/labels/vocabulary";

/** The files that the list of a family can be saved as (`GET ui/…/export`). */
export interface ExportForm<R> {
  /** Of the file, before environment and date, e.g. `functional-groups`. */
  readonly name: string;
  /** The member of the JSON file that lists the records. */
  readonly member: string;
  /** A record as its save takes it; null: it is damaged, and left out. */
  readonly toBody: (record: R) => object | null;
  /** Names of the columns of the table. */
  readonly columns: readonly string[];
  /** The lines that a record has in the table. */
  readonly lines: (record: R) => readonly (readonly CsvValue[])[];
}

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/**
 * Makes a file of records: a table, or bodies that their save takes.
 *
 * @param now for the name of the file
 */
export async function exportRecords<R>(
  form: ExportForm<R>,
  records: readonly R[],
  { format, environment }: { readonly format: keyof typeof types; readonly environment: Environment },
  now: Date,
): Promise<FileAnswer> {
  const pieces = format === "csv" ? streamCsv(form, records) : streamJson(form, records);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: types[format],
    name: `${form.name}-${environment}-${now.toISOString().slice(0, 10)}.${format}`,
  });
}

/** The state of a record in a table. */
export function describeState({ status, isDeleted }: Pick<VersionedRecord, "status" | "isDeleted">): string {
  return isDeleted ? "deletion pending" : status.toLowerCase();
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
