import type { OwnDatabase } from "@/lib/exchange/cli/backup";
import { maskCredentials } from "@/lib/platform/log";
import { type Journal, withoutSecrets, withReport } from "@/lib/exchange/cli/migration-report";
import { hasOwnDatabase, withOwnDatabase, withThrowawayDatabase } from "@/lib/exchange/cli/own-database";
import {
  CommandRefusal,
  exitCodes,
  type TerminalReport,
  showProgress,
  type Terminal,
} from "@/lib/exchange/cli/terminal";
import { describeVerification, exitCodeOf, sentenceOf } from "@/lib/exchange/cli/verifying";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { catchUp, notMoved, requireMoved } from "@/lib/exchange/migration/catch-up/catch-up";
import { requireEmpty, storeMoved, MoveRefused } from "@/lib/exchange/migration/migrate";
import { type PostgresAddress, readPostgresAddress } from "@/lib/exchange/migration/postgres-address";
import { readPostgres } from "@/lib/exchange/migration/read-postgres";
import type { Loss, SdlData } from "@/lib/exchange/migration/convert/tables";
import { verifyAgainst, type Verification } from "@/lib/exchange/migration/verify";
import "@/lib/releases/gate";
import { readSecretFile, type Settings } from "@/lib/platform/settings";
import { readLanguages } from "@/lib/exchange/seed/files";
import { readSecret } from "@/lib/platform/settings/parse";

export interface MoveOptions {
  /** URL of the sdl_server's database. */
  readonly postgres: string;
  readonly postgresPasswordFile?: string | undefined;
  /** Migrate only what changed since the first run. */
  readonly catchUp?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly report?: string | undefined;
  /** URL of the other server, whose tables are compared; undefined: no comparison. */
  readonly verify?: string | undefined;
}

export interface MoveContext extends OwnDatabase {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
}

/** `exchange.md` X6 to X8. Throws CommandRefusal, storing nothing, if there is data or head units refuse a table. */
export async function moveFromSdlServer(options: MoveOptions, database: MoveContext): Promise<TerminalReport> {
  const { dryRun = false, catchUp: isCatchUp = false } = options;
  const source = findPostgres(options, database);
  const settings = database.settings();
  const first = { command: isCatchUp ? "catch-up" : "import", dry_run: dryRun, started_at: database.now() };
  return withReport(options.report, first, async (journal) => {
    const known = await readLanguages(database.root);
    const data = await readPostgres(source);
    await journal.tell({ state: "read" });
    const work = { options, database, settings, data, known, journal };
    return isCatchUp ? runCatchUp(work) : runMove(work);
  });
}

interface Work {
  readonly options: MoveOptions;
  readonly database: MoveContext;
  readonly settings: Settings;
  readonly data: SdlData;
  readonly known: ReadonlySet<string>;
  readonly journal: Journal;
}

async function runMove(work: Work): Promise<TerminalReport> {
  const { options, database, settings, data, known, journal } = work;
  const { dryRun = false } = options;
  const { publicBaseUrl, dataDir } = settings;
  const told = showProgress(database.terminal, "documents");
  const storing = { languages: known, root: database.root, publicBaseUrl, dataDir, commits: !dryRun, told };
  // A dry run must leave nothing that a start could mistake for data, so it only reads the configured database.
  if (dryRun && hasOwnDatabase(settings)) await withOwnDatabase(settings, database.start, requireEmpty).catch(refuse);
  const inDatabase = dryRun ? withThrowawayDatabase : withOwnDatabase;
  const { moved, outcome } = await inDatabase(settings, database.start, async () => {
    const stored = await storeMoved(data, storing).catch(refuse);
    if (dryRun) return { moved: stored, outcome: notCompared };
    await journal.tell({ state: "stored", ...stored });
    return { moved: stored, outcome: await compareBoth(work, stored.losses) };
  });
  return finish(work, { ...moved }, outcome, [
    dryRun ? "Would be imported:" : "Imported:",
    ...Object.entries(moved.carried).map(([name, count]) => `  ${count} ${name.replaceAll("_", " ")}`),
    ...describeLosses(moved.losses),
  ]);
}

/** Migrates only what was decided on the other server since the first run (`exchange.md` X10a). */
async function runCatchUp(work: Work): Promise<TerminalReport> {
  const { options, database, settings, data, known, journal } = work;
  const { dryRun = false } = options;
  // A newly created folder would count as data of this server (`exchange.md` X9).
  if (!hasOwnDatabase(settings)) throw new Error(notMoved);
  return withOwnDatabase(settings, database.start, async () => {
    await requireMoved();
    await prepareDatabase();
    const caught = await catchUp(data, known, { dryRun }).catch((error: unknown) => {
      if (!(error instanceof MoveRefused)) throw error;
      const { message, lines } = error;
      throw new CommandRefusal(
        message,
        { lines },
        lines.map((line) => `  ${line}`),
      );
    });
    await journal.tell({ state: dryRun ? "read" : "stored", ...caught });
    const outcome = dryRun ? notCompared : await compareBoth(work, caught.losses);
    return finish(work, { ...caught }, outcome, [
      caught.changes.length === 0
        ? "Nothing has changed on the other server since the last run"
        : `${dryRun ? "Would be imported" : "Imported"}: ${caught.changes.length} ${caught.changes.length === 1 ? "change" : "changes"}`,
      ...caught.changes.slice(0, maxLines).map(({ what, change }) => `  ${what}: ${change}`),
      ...andMore(caught.changes.length),
      ...caught.kept.slice(0, maxLines).map(({ what, reason }) => `  ${what} stays as it is here: ${reason}`),
      ...andMore(caught.kept.length),
      ...(caught.release === null || dryRun ? [] : [`Release ${caught.release} holds what changed in production`]),
      ...describeLosses(caught.losses),
    ]);
  });
}

interface Outcome {
  readonly verification: Verification | null;
  /** Why there is none; null: not requested, or made. */
  readonly problem: string | null;
}
const notCompared: Outcome = { verification: null, problem: null };

/** A failed comparison undoes nothing: it is in the report and can be repeated. */
async function compareBoth({ options, settings, known: languages }: Work, losses: readonly Loss[]): Promise<Outcome> {
  const { verify } = options;
  if (verify === undefined) return notCompared;
  try {
    return { verification: await verifyAgainst({ base: verify, settings, languages, losses }), problem: null };
  } catch (error) {
    const again = maskCredentials(`open-policy verify-sdl-server ${verify}`);
    const problem = `The data is stored, but the tables could not be compared: ${sentenceOf(error)}. Try again: ${again}`;
    return { verification: null, problem };
  }
}

async function finish(
  { journal }: Work,
  found: Readonly<Record<string, unknown>>,
  { verification, problem }: Outcome,
  lines: readonly string[],
): Promise<TerminalReport> {
  const data = { ...found, verification, ...(problem === null ? {} : { error: problem }) };
  await journal.tell({ ...data, state: problem === null ? "done" : "stored" });
  const problems = [problem, journal.problem()].filter((one) => one !== null);
  return {
    data: withoutSecrets(data),
    lines: [...lines, ...(verification === null ? [] : describeVerification(verification)), ...problems],
    exitCode:
      problems.length > 0 ? exitCodes.refused : verification === null ? exitCodes.done : exitCodeOf(verification),
  };
}

/** The address of the other database. The password must not appear in process lists (`exchange.md` X6d). */
function findPostgres({ postgres, postgresPasswordFile: file }: MoveOptions, context: MoveContext): PostgresAddress {
  const { PGPASSWORD, PGPASSWORD_FILE } = context.environment;
  const given = { PGPASSWORD, PGPASSWORD_FILE: file ?? PGPASSWORD_FILE };
  const env = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const files = { root: process.cwd(), read: readSecretFile };
  const source = file === undefined ? "PGPASSWORD_FILE" : "--postgres-password-file";
  const { value, problem } = readSecret("PGPASSWORD", env, files, source);
  if (problem !== undefined) throw new CommandRefusal(problem);
  const address = readPostgresAddress(postgres, value);
  if (address === null) {
    throw new CommandRefusal(
      "--postgres must be an address such as postgres://user@host:5432/database. Signs such as # / ? and @ in a user's name are written as in URLs, for example %40",
    );
  }
  if (address.isPasswordInUrl) {
    context.terminal.note(
      "Other users of this machine can see the password in --postgres: give it in PGPASSWORD, or in a file with --postgres-password-file\n",
    );
  }
  return address;
}

function refuse(error: unknown): never {
  throw error instanceof MoveRefused ? new CommandRefusal(error.message, {}, error.lines) : error;
}

/** Maximum number of lines of one kind on screen; the report contains all of them. */
const maxLines = 50;
const andMore = (count: number) =>
  count > maxLines ? [`  … and ${count - maxLines} more: --report FILE has them all`] : [];

function describeLosses(losses: readonly Loss[]): readonly string[] {
  const lost = losses.filter(({ isUnused }) => isUnused !== true);
  const unused = losses.length - lost.length;
  return [
    lost.length === 0 ? "Nothing lost" : `Not imported, or changed: ${lost.length}`,
    ...lost.slice(0, maxLines).map(({ what, reason }) => `  ${what}: ${reason}`),
    ...andMore(lost.length),
    ...(unused > 0 ? [`Left out, because no head unit can use it: ${unused} (--report FILE names each)`] : []),
  ];
}
