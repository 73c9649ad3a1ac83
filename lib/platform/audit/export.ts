import "server-only";
import type { AuditEventJson } from "@/lib/platform/audit/answer-schema";
import { readAuditEvents } from "@/lib/platform/audit/queries";
import type { AuditExportQuery } from "@/lib/platform/audit/schema";
import { buildCsvLine, csvStart } from "@/lib/platform/http/csv";
import { FileAnswer } from "@/lib/platform/http/file-answer";
import { StreamedData } from "@/lib/platform/http/streamed-data";

const types = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const;

/** Streams exactly the events that the filters select, newest first (`people.md` P13). `now`: for the file name. */
export async function exportAuditEvents({ format, ...filter }: AuditExportQuery, now: Date): Promise<FileAnswer> {
  const events = readAuditEvents(filter);
  return new FileAnswer(await StreamedData.start(format === "csv" ? streamCsv(events) : streamLines(events)), {
    type: types[format],
    name: `activity-${now.toISOString().slice(0, 10)}.${format}`,
  });
}

const columns = [
  ...["id", "time", "who", "verified", "as", "action", "target", "before", "after"],
  ...["revision", "route", "request_id"],
];

// What cannot be read at all is answered like any other failure: the first piece carries an event, or all there is.
async function* streamCsv(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string> {
  let head = csvStart + buildCsvLine(columns);
  for await (const event of events) {
    const who = [event.display_name, event.display_name_verified, event.actor];
    const what = [event.action, event.target, toText(event.before), toText(event.after)];
    const line = [event.id, event.created_ts, ...who, ...what, event.revision, event.route, event.request_id];
    yield head + buildCsvLine(line);
    head = "";
  }
  if (head !== "") yield head;
}

const toText = (value: unknown) => (value === null ? null : typeof value === "string" ? value : JSON.stringify(value));

async function* streamLines(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}
