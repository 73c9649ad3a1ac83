import { mkdir, rm, writeFile as write } from "node:fs/promises";
import path from "node:path";
import type { Api } from "@/lib/exchange/cli/api";
import { locating, readFolder, readJsonDocument } from "@/lib/exchange/cli/files";
import { exitCodes, type TerminalReport, CommandRefusal } from "@/lib/exchange/cli/terminal";
import { exportAnswer, type ImportAnswer, importAnswer } from "@/lib/exchange/answer-schema";
import { listFiles, type ReadDocument, readFiles, usualPath, writeFile } from "@/lib/exchange/folder";

export interface ViewOptions {
  readonly environment?: string | undefined;
  readonly release?: number | undefined;
}

/** `exchange.md` X1. Keeps comments in existing files and removes files of items that no longer exist. */
export async function exportTo(api: Api, place: string, options: ViewOptions): Promise<TerminalReport> {
  const { environment, release } = options;
  const view = release === undefined ? { environment: environment ?? "production" } : { release: String(release) };
  // Use the response as sent, because parsing would reorder its members.
  const answer = await api.ask("/exchange", { query: view });
  exportAnswer.parse(answer);
  const { document } = answer as { readonly document: object };
  if (isOneFile(place)) {
    await write(place, `${JSON.stringify(document, null, 2)}\n`);
    return { data: { files: [place] }, lines: [place] };
  }
  const before = await readFolder(place);
  // Files that somebody has named otherwise keep their names, and so their comments.
  const kept = new Map(Array.from(before.keys(), (file) => [usualPath(file), file]));
  const named = Array.from(listFiles(document), ([file, value]) => [kept.get(usualPath(file)) ?? file, value] as const);
  const files = new Map(named.map(([file, value]) => [file.replace(/\.json$/i, ".yaml"), value]));
  let written = 0;
  for (const [file, value] of files) {
    const text = writeFile(value, before.get(file));
    if (text === before.get(file)) continue;
    await mkdir(path.dirname(path.join(place, file)), { recursive: true });
    await write(path.join(place, file), text);
    written += 1;
  }
  const gone = [...before.keys()].filter((file) => !files.has(file));
  for (const file of gone) await rm(path.join(place, file));
  return {
    data: { files: files.size, written, removed: gone.length },
    lines: [`${files.size} files in ${place}: ${written} written, ${gone.length} removed`],
  };
}

export interface ImportOptions {
  readonly prune?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** `exchange.md` X2: all or nothing. Throws CommandRefusal for invalid files. */
export async function importFrom(api: Api, place: string, options: ImportOptions): Promise<TerminalReport> {
  const { prune = false, dryRun = false } = options;
  const { document, locate } = await readDocument(place);
  const body = { document, prune, dry_run: dryRun };
  const answer = await locating(api.ask("/exchange", { method: "POST", body }), locate);
  const data = importAnswer.parse(answer);
  return { data, lines: reportImport(data) };
}

interface DiffOptions extends Pick<ImportOptions, "prune"> {
  /** For the publication plan. */
  readonly out?: string | undefined;
}

/** Exit code 3 if anything differs. `out`: plan of a publication of just these changes (`gate.md` W10). */
export async function diffWith(api: Api, place: string, options: DiffOptions): Promise<TerminalReport> {
  const report = await importFrom(api, place, { prune: options.prune, dryRun: true });
  const { items, plan } = importAnswer.parse(report.data);
  if (options.out !== undefined) await write(options.out, `${JSON.stringify(plan, null, 2)}\n`);
  return { ...report, exitCode: items.length > 0 ? exitCodes.differences : exitCodes.done };
}

export function reportImport({ items, findings = [], checks = [], left }: ImportAnswer): readonly string[] {
  const sign = { add: "+", change: "~", delete: "-" } as const;
  const short = (value: unknown) => (value === undefined || value === null ? "nothing" : JSON.stringify(value));
  return [
    ...items.flatMap(({ family, key, change, fields }) => [
      `${sign[change]} ${family} ${key}`.trimEnd(),
      ...(change === "change"
        ? fields.map(({ path: member, before, after }) => `    ${member}: ${short(before)} → ${short(after)}`)
        : []),
    ]),
    ...findings.map(({ severity, path: member, message }) => `! ${severity}: ${member}: ${message}`),
    ...checks.map(({ level, family, key, message }) => `! ${level}: ${`${family} ${key}`.trimEnd()}: ${message}`),
    ...left.map((sentence) => `· ${sentence}`),
    items.length === 0 ? "Nothing differs from staging" : `${items.length} items differ from staging`,
  ];
}

async function readDocument(place: string): Promise<ReadDocument> {
  if (isOneFile(place)) return readJsonDocument(place, "document");
  const files = await readFolder(place);
  if (files.size === 0) throw new CommandRefusal(`${place} holds no files of a policy`);
  return readFiles(files);
}

const isOneFile = (place: string) => /\.json$/i.test(place);
