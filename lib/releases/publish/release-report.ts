import "server-only";
import type { AppsEffect, ItemDiffJson } from "@/lib/releases/answer-schema";
import { requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { buildReport } from "@/lib/releases/report";
import { diffRelease } from "@/lib/releases/items/diff";
import { loadTitles } from "@/lib/releases/items/titles";
import { findReleaseApps, findReleaseEffect } from "@/lib/releases/publish/release-effect";
import type { CompareWith } from "@/lib/releases/schema";
import { exportTypes } from "@/lib/records/store/export";
import { buildCsvLine, csvStart } from "@/lib/platform/http/csv";
import { FileAnswer } from "@/lib/platform/http/streamed-data";

/** A release as a file in Markdown (`releases.md` L1a); throws like `findReleaseEffect`. */
export async function exportReport(number: number): Promise<FileAnswer> {
  const release = toReleaseJson(await requireRelease(number));
  const diff = await diffRelease(number);
  const effect = number > 1 ? await loadWholeEffect(number) : null;
  const titleOf = await loadTitles([...release.items, ...release.findings]);
  const text = buildReport({ release, diff, effect, titleOf });
  return FileAnswer.ofText(text, { type: "text/markdown; charset=utf-8", name: `release-${number}.md` });
}

/** `diffRelease` as a file: in CSV a line for each field, values other than texts as JSON; throws like it. */
export async function exportDiff(
  number: number,
  { to, format }: { readonly to: CompareWith | undefined; readonly format: keyof typeof exportTypes },
): Promise<FileAnswer> {
  const items = await diffRelease(number, to);
  const text = format === "csv" ? await buildCsv(items) : `${JSON.stringify({ items }, null, 2)}\n`;
  const name = `release-${number}-${to === undefined ? "diff" : `to-${to}`}.${format}`;
  return FileAnswer.ofText(text, { type: exportTypes[format], name });
}

const columns = ["family", "key", "name", "change", "field", "before", "after"];

async function buildCsv(items: readonly ItemDiffJson[]): Promise<string> {
  const titleOf = await loadTitles(items);
  const lines = items.flatMap(({ family, key, change, fields }) =>
    fields.map(({ path, before, after }) =>
      buildCsvLine([family, key, titleOf({ family, key }), change, path, toCell(before), toCell(after)]),
    ),
  );
  return [csvStart, buildCsvLine(columns), ...lines].join("");
}

/** Empty: not there. */
const toCell = (value: unknown) =>
  value === undefined || value === null ? null : typeof value === "string" ? value : JSON.stringify(value);

async function loadWholeEffect(number: number): Promise<AppsEffect> {
  const effect = await findReleaseEffect(number);
  const apps = [...effect.apps];
  while (apps.length < effect.apps_changed) {
    const { apps: more } = await findReleaseApps(number, "release", apps.length);
    if (more.length === 0) break;
    apps.push(...more);
  }
  return { ...effect, apps };
}
