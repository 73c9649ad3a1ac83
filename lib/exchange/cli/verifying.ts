import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { OwnDatabase } from "@/lib/exchange/cli/backup";
import { type StartDatabase, withOwnDatabase } from "@/lib/exchange/cli/own-database";
import { CommandRefusal, exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { findContent } from "@/lib/platform/backup/restore";
import { maskCredentials } from "@/lib/platform/log";
import { type Loss, sdlTables } from "@/lib/exchange/migration/convert/tables";
import { type Verification, verifyAgainst } from "@/lib/exchange/migration/verify";
import { readLanguages } from "@/lib/exchange/seed/files";
import { namesOf } from "@/lib/vocabulary/members";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProofOptions {
  /** Report of `import-sdl-server --report`; the losses in it explain differences. */
  readonly known?: string | undefined;
  /** Milliseconds between two comparisons; undefined: only one. */
  readonly every?: number | undefined;
}

export interface Waiter {
  /** False if the process received a signal to end. */
  wait(ms: number): Promise<boolean>;
  stop(): void;
}

export interface ProofContext extends OwnDatabase {
  /** Starts the embedded database like `start`, or connects to the server that already runs on it. */
  readonly join: StartDatabase;
  readonly now: () => Date;
  readonly waiter: () => Waiter;
}

/**
 * `exchange.md` X8. Changes neither server; a server may run on the database. `tell` receives each result; the last one
 * sets the exit code. Throws CommandRefusal if the database is empty, and errors of a single comparison.
 */
export async function proveRepeatedly(
  base: string,
  { known, every }: ProofOptions,
  context: ProofContext,
  tell: (report: TerminalReport) => void,
): Promise<void> {
  const losses = known === undefined ? [] : await readLosses(known);
  if (every === undefined) {
    tell(await proveOnce(base, losses, context));
    return;
  }
  const waiter = context.waiter();
  try {
    do {
      // Neither an unreachable server nor a failed comparison ends the repetition.
      tell(atTime(context.now(), await proveOnce(base, losses, context).catch(failedProof)));
    } while (await waiter.wait(every));
  } finally {
    waiter.stop();
  }
}

async function proveOnce(base: string, losses: readonly Loss[], context: ProofContext): Promise<TerminalReport> {
  const settings = context.settings();
  const languages = await readLanguages(context.root);
  const verification = await withOwnDatabase(settings, context.join, async () => {
    if ((await findContent()).documents === 0) {
      throw new CommandRefusal(`The database ${settings.databaseName} is empty: there is nothing to compare`);
    }
    return verifyAgainst({ base, settings, languages, losses });
  });
  return { data: verification, lines: describeVerification(verification), exitCode: exitCodeOf(verification) };
}

function atTime(now: Date, report: TerminalReport): TerminalReport {
  const at = now.toISOString();
  const data = typeof report.data === "object" ? { at, ...report.data } : report.data;
  return { ...report, data, lines: [at, ...report.lines] };
}

/** Without credentials in URLs. */
export function sentenceOf(error: unknown): string {
  return maskCredentials(error instanceof Error ? error.message : String(error));
}

function failedProof(error: unknown): TerminalReport {
  const message = sentenceOf(error);
  return { data: { holds: false, error: message }, lines: [message], exitCode: exitCodes.refused };
}

const tableNames = z.enum(namesOf(sdlTables));
const lossesOfReport = z.object({
  losses: z.array(
    z.object({ table: tableNames, what: z.string(), reason: z.string(), at: z.string().exactOptional() }),
  ),
});

async function readLosses(file: string): Promise<readonly Loss[]> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) throw new CommandRefusal(`${file} cannot be read`);
  try {
    return lossesOfReport.parse(JSON.parse(text)).losses;
  } catch {
    throw new CommandRefusal(`${file} is not a report of import-sdl-server`);
  }
}

/** 1 if anything differs without a known reason. */
export const exitCodeOf = ({ holds }: Verification): number => (holds ? exitCodes.done : exitCodes.refused);

const maxRows = 100;

/** The summary sentence, followed by a table of all differences. */
export function describeVerification({ sentence, changed, differences }: Verification): readonly string[] {
  const rowsOf = (isExplained: boolean) => [
    ...changed.filter((one) => one.isExplained === isExplained).flatMap(rowsOfApp),
    ...foldAlike(differences.filter(({ reason }) => (reason !== null) === isExplained)).map(
      ({ path, tables, there, here, reason }) => [describeTables(tables), path, there, here, reason ?? unknown],
    ),
  ];
  const rows = [...rowsOf(false), ...rowsOf(true)];
  const left = rows.length - maxRows;
  return [
    sentence,
    describeMembers(differences),
    ...layOut(rows.slice(0, maxRows)),
    ...(left > 0 ? [`  … and ${left} more: --json has them all`] : []),
  ];
}

/** What one server writes everywhere, for one reason, makes one row. Differences without a reason stay apart. */
function foldAlike(differences: Verification["differences"]): Verification["differences"] {
  const alike = new Map<string, Verification["differences"]>();
  for (const one of differences) {
    const { path, tables, there, here, reason } = one;
    const key = JSON.stringify(reason === null ? path : [path.split(".").at(-1), tables, there, here, reason]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, path: `${first.path} and ${others.length} more of the kind` };
  });
}

const unknown = "no known reason";

function describeMembers(differences: Verification["differences"]): string {
  const open = differences.filter(({ reason }) => reason === null).length;
  const differ = differences.length === 1 ? "1 member differs" : `${differences.length} members differ`;
  if (differences.length === 0) return "No member differs";
  return open === 0 ? `${differ}, each for a known reason` : `${differ}, ${open} without a known reason`;
}

function rowsOfApp({ app, tables, more, less, isExplained }: Verification["changed"][number]): string[][] {
  const where = describeTables(tables);
  const why = isExplained ? "by the members below" : unknown;
  return [
    ...(more.length === 0 ? [] : [[where, `app ${app}`, "", `may do more: ${more.join("; ")}`, why]]),
    ...(less.length === 0 ? [] : [[where, `app ${app}`, "", `may do less: ${less.join("; ")}`, why]]),
  ];
}

/** There are four tables: two environments, each with long and short ids. */
function describeTables(tables: readonly string[]): string {
  if (tables.length === 4) return "all";
  const both = ["staging", "production"].find(
    (one) => tables.length === 2 && tables.every((name) => name.startsWith(one)),
  );
  return both ?? tables.join(" / ");
}

/** Texts wider than a column are not cut. */
function layOut(rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const all = [["Tables", "Member", "There", "Here", "Reason"], ...rows];
  const widths = [0, 1, 2, 3].map((at) => Math.min(48, Math.max(...all.map((row) => row[at]?.length ?? 0))));
  return all.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd());
}

const signals = ["SIGINT", "SIGTERM"] as const;

type Signalled = Pick<NodeJS.Process, "on" | "off">;

/** From now on a signal ends the waiting instead of the process, so that the current comparison can finish. */
export function createWaiter(source: Signalled = process): Waiter {
  const told = new AbortController();
  const end = () => told.abort();
  for (const signal of signals) source.on(signal, end);
  return {
    wait: (ms) => sleep(ms, true, { signal: told.signal }).catch(() => false),
    stop: () => {
      for (const signal of signals) source.off(signal, end);
    },
  };
}
