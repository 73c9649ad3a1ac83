import "server-only";
import { type z } from "zod";
import { findListedGroups } from "@/lib/groups/console-queries";
import { type exportGroupsQuery } from "@/lib/groups/console-schema";
import { type GroupRecord } from "@/lib/groups/rules";
import { toSaveBody } from "@/lib/groups/wire";
import { buildCsvLine, csvStart, type CsvValue } from "@/lib/http/csv";
import { FileAnswer } from "@/lib/http/file-answer";
import { StreamedData } from "@/lib/http/streamed-data";
import { listGrants } from "@/lib/words/group-flags";
import { hmiLevels } from "@/lib/words/vocabulary";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/**
 * Exports every group that the console's list shows under these filters, in its order: as a table with one line for
 * each RPC, or as bodies that `POST groups` takes.
 *
 * @param now for the name of the file
 * @throws DatabaseUnavailable
 */
export async function exportGroups(query: z.output<typeof exportGroupsQuery>, now: Date): Promise<FileAnswer> {
  const groups = await findListedGroups(query);
  const pieces = query.format === "csv" ? streamCsv(groups) : streamJson(groups);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: types[query.format],
    name: `functional-groups-${query.environment}-${now.toISOString().slice(0, 10)}.${query.format}`,
  });
}

async function* streamJson(groups: readonly GroupRecord[]): AsyncGenerator<string> {
  yield await Promise.resolve('{"groups":[');
  for (const [index, group] of groups.entries())
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(toSaveBody(group))}`;
  yield "\n]}\n";
}

const groupColumns: readonly (readonly [name: string, read: (record: GroupRecord) => CsvValue])[] = [
  ["group", ({ name }) => name],
  ["description", ({ description }) => description],
  ["status", ({ status, isDeleted }) => (isDeleted ? "deletion pending" : status.toLowerCase())],
  ["grants", (record) => listGrants(record).join("; ")],
  ["user_consent_prompt", ({ userConsentPrompt }) => userConsentPrompt],
  ["encryption_required", ({ encryptionRequired }) => encryptionRequired],
];

async function* streamCsv(groups: readonly GroupRecord[]): AsyncGenerator<string> {
  const names = [...groupColumns.map(([name]) => name), "rpc", "hmi_levels", "parameters"];
  yield await Promise.resolve(csvStart + buildCsvLine(names));
  for (const group of groups) yield buildLines(group);
}

function buildLines(record: GroupRecord): string {
  const cells = groupColumns.map(([, read]) => read(record));
  if (record.rpcs.length === 0) return buildCsvLine([...cells, null, null, null]);
  const lines = record.rpcs.map(({ name, levels, parameters }) => {
    const ordered = hmiLevels.filter((level) => levels.includes(level));
    return buildCsvLine([...cells, name, ordered.join("; "), parameters.join("; ")]);
  });
  return lines.join("");
}
