import { mkdir, readdir, readFile, rm, writeFile as write } from "node:fs/promises";
import path from "node:path";
import type { Api } from "@/lib/exchange/cli/api";
import { readJson } from "@/lib/exchange/cli/check";
import { CommandRefusal, exitCodes, type Report } from "@/lib/exchange/cli/terminal";
import { exportAnswer, type ImportAnswer, importAnswer } from "@/lib/exchange/answer-schema";
import { isFileRefusal, itemFolders, listFiles, readFiles, singleFiles, writeFile } from "@/lib/exchange/folder";

/** Which view a command uses; default: production. */
export interface ViewOptions {
  readonly environment?: string | undefined;
  readonly release?: number | undefined;
}

/**
 * `export DIR` (`exchange.md` X1): writes a view as files. Keeps comments in existing files and removes files of items
 * that no longer exist. A name that ends in `.json` is a single file.
 *
 * @throws like `Api.ask`; if files cannot be written
 */
export async function exportTo(api: Api, place: string, options: ViewOptions): Promise<Report> {
  const { environment, release } = options;
  const view = release === undefined ? { environment: environment ?? "production" } : { release: String(release) };
  // Use the response as sent, because parsing would reorder its members.
  const answer = await api.ask("/exchange", { query: view });
  exportAnswer.parse(answer);
  const { document } = answer as { readonly document: object };
  if (place.endsWith(".json")) {
    await write(place, `${JSON.stringify(document, null, 2)}\n`);
    return { data: { files: [place] }, lines: [place] };
  }
  const files = listFiles(document);
  const before = await readFolder(place);
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

/** Options of an import. */
export interface ImportOptions {
  readonly prune?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * `import DIR` (`exchange.md` X2): into staging, all or nothing. Throws like `Api.ask`; CommandRefusal for invalid files.
 */
export async function importFrom(api: Api, place: string, options: ImportOptions): Promise<Report> {
  const { prune = false, dryRun = false } = options;
  const body = { document: await readDocument(place), prune, dry_run: dryRun };
  const data = importAnswer.parse(await api.ask("/exchange", { method: "POST", body }));
  return { data, lines: reportImport(data) };
}

/** Options of a comparison. */
interface DiffOptions extends Pick<ImportOptions, "prune"> {
  /** File for the publication plan. */
  readonly out?: string | undefined;
}

/**
 * `diff DIR`: shows what an import would change; exit code 3 if anything differs. With `out` it also writes the plan of a
 * publication of just these changes (`gate.md` W10). Throws like `importFrom`, and if the file cannot be written.
 */
export async function diffWith(api: Api, place: string, options: DiffOptions): Promise<Report> {
  const report = await importFrom(api, place, { prune: options.prune, dryRun: true });
  const { items, plan } = importAnswer.parse(report.data);
  if (options.out !== undefined) await write(options.out, `${JSON.stringify(plan, null, 2)}\n`);
  return { ...report, exitCode: items.length > 0 ? exitCodes.differences : exitCodes.done };
}

/** What an import changed or would change, one line each. */
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

async function readDocument(place: string): Promise<unknown> {
  if (place.endsWith(".json")) return readJson(place);
  const files = await readFolder(place);
  if (files.size === 0) throw new CommandRefusal(`${place} holds no files of a policy`);
  try {
    return readFiles(files);
  } catch (error) {
    if (isFileRefusal(error)) throw new CommandRefusal(error.message);
    throw error;
  }
}

/** Reads the files of a folder that belong to a document, by their relative paths. */
async function readFolder(place: string): Promise<ReadonlyMap<string, string>> {
  const names = new Set(singleFiles.keys());
  const listed = (await listNames(place)).filter((name) => names.has(name));
  for (const folder of itemFolders.keys()) {
    const own = await listNames(path.join(place, folder));
    listed.push(...own.filter((name) => name.endsWith(".yaml")).map((name) => `${folder}/${name}`));
  }
  const files = new Map<string, string>();
  for (const file of listed) files.set(file, await readFile(path.join(place, file), "utf8"));
  return files;
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
}
