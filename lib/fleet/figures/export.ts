import "server-only";
import type {
  AdoptionFigures,
  AppFigures,
  GroupFigures,
  HeadUnitFigures,
  AnsweredFigures,
} from "@/lib/fleet/figures/answer-schema";
import { usageCounters } from "@/lib/fleet/figures/apps";
import { headUnitKinds } from "@/lib/fleet/figures/head-units";
import { buildCsvLine, csvStart, type CsvValue } from "@/lib/platform/http/csv";
import { FileAnswer } from "@/lib/platform/http/streamed-data";

type Line = readonly CsvValue[];
export type CsvTable = readonly [titles: readonly string[], lines: readonly Line[]];

export const requestsTable = ({ steps }: AnsweredFigures): CsvTable => [
  ["at", "table", "repaired", "refused"],
  steps.map(({ at, table, repaired, refused }) => [at, table, repaired, refused]),
];

export const adoptionTable = ({ steps }: AdoptionFigures): CsvTable => [
  ["at", "release", "count"],
  steps.flatMap(({ at, releases }) =>
    releases.map(({ release, count }): Line => [at, release === null ? "unknown" : release, count]),
  ),
];

const usageColumns = [...usageCounters, "rejected_per_report"] as const;

export const appsTable = ({ apps, unknown }: AppFigures): CsvTable => [
  ["kind", "id", "name", "count", "share", "own", "default", "blocked", ...usageColumns],
  [
    ...apps.map(({ uuid, name, count, share, own, default: usual, blocked, usage }): Line => {
      const reported = usageColumns.map((column) => (usage === null ? null : usage[column]));
      return ["app", uuid, name, count, share, own, usual, blocked, ...reported];
    }),
    ...unknown.map(({ id, count }): Line => {
      return ["unknown", id, null, count, null, null, null, null, ...usageColumns.map(() => null)];
    }),
  ],
];

export const groupsTable = ({ groups }: GroupFigures): CsvTable => [
  ["group", "yes", "no", "share"],
  groups.map(({ name, yes, no, share }) => [name, yes, no, share]),
];

export const headUnitsTable = (figures: HeadUnitFigures): CsvTable => [
  ["kind", "value", "count", "share"],
  headUnitKinds.flatMap((kind) => figures[kind].map(({ value, count, share }): Line => [kind, value, count, share])),
];

/** A file in CSV. A count from 1 to 9 is empty (rule S2). */
export function exportTable(name: string, { from }: { readonly from: string }, table: CsvTable): Promise<FileAnswer> {
  const [titles, lines] = table;
  const text = [csvStart, buildCsvLine(titles), ...lines.map(buildCsvLine)].join("");
  return FileAnswer.ofText(text, {
    type: "text/csv; charset=utf-8",
    name: `fleet-${name}-${from.slice(0, 10)}.csv`,
  });
}
