import { writeFile } from "node:fs/promises";
import { findContent } from "@/lib/backup/restore";
import { removeSavedPolicies } from "@/lib/backup/restore-folder";
import { createApi } from "@/lib/cli/api";
import type { OwnDatabase } from "@/lib/cli/backup";
import { withOwnDatabase } from "@/lib/cli/own-database";
import { CommandRefusal, exitCodes, type Report, showProgress, type Terminal } from "@/lib/cli/terminal";
import { prepareDatabase } from "@/lib/db/prepare";
import { readApi } from "@/lib/moving/api/read-api";
import { convert, type Moved, storeMoved } from "@/lib/moving/move";
import { readPostgres } from "@/lib/moving/read-postgres";
import { verifyAgainst, type Verification } from "@/lib/moving/verify";
import "@/lib/releases/gate/gate";
import { readSeed } from "@/lib/seed/files";
import { saveFirstData } from "@/lib/seed/first-data";
import { seedFiles } from "@/lib/seed/schema";

/** What `import-sdl-server` may be told. */
export interface MoveOptions {
  /** Address of its database, or … */
  readonly postgres?: string | undefined;
  /** … its own. */
  readonly url?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** File for the whole report. */
  readonly report?: string | undefined;
  /** Address of the other server, which is asked for its tables; not given: `url`. */
  readonly verify?: string | undefined;
}

/** What moving over is given by the command line. */
export interface MoveContext extends OwnDatabase {
  readonly terminal: Terminal;
  /** The administrator's password of the other server. */
  readonly password: string | undefined;
  readonly now: () => Date;
}

/**
 * `import-sdl-server` (`exchange.md` X6 to X8): carries the data of an sdl_server over into the empty database of the
 * settings, tells what was not carried over, and compares the tables of both.
 *
 * @param options `postgres` or `url` is given
 * @throws CommandRefusal when the database holds data already; whatever reading and storing throw
 */
export async function moveFromSdlServer(options: MoveOptions, database: MoveContext): Promise<Report> {
  const { dryRun = false, report, verify = options.url } = options;
  const settings = database.settings();
  const { languages, additional_policy_languages } = await readSeed(database.root, seedFiles.languages);
  const known = new Set([...languages, ...additional_policy_languages].map(({ id }) => id));
  const { data, losses: untold } = await readOther(options, database);
  const { moved, verification } = dryRun
    ? { moved: convert(data, known, 1), verification: null }
    : await withOwnDatabase(settings, database.start, async () => {
        await requireEmpty(settings.databaseName);
        await prepareDatabase();
        const stored = await storeMoved(data, known);
        const { publicBaseUrl } = settings;
        // What the other server takes from elsewhere: vocabulary, specification, the first release.
        await saveFirstData({ root: database.root, publicBaseUrl, withExampleApps: false });
        const losses = [...untold, ...stored.losses];
        // What vehicles got before, if anything, is given up for it.
        await removeSavedPolicies(settings.dataDir);
        const compared = verify === undefined ? null : await verifyAgainst(verify, publicBaseUrl, losses);
        return { moved: stored, verification: compared };
      });
  const found = { carried: moved.carried, losses: [...untold, ...moved.losses], verification };
  if (report !== undefined) await writeFile(report, `${JSON.stringify(found, null, 2)}\n`);
  return { data: found, ...describe(found, verification, dryRun) };
}

async function readOther({ postgres, url }: MoveOptions, { terminal, password, now }: MoveContext) {
  if (url === undefined) return { data: await readPostgres(postgres ?? ""), losses: [] };
  const api = createApi({ server: url, password, proof: "SDL_SERVER_PASSWORD" });
  return readApi(api, now(), showProgress(terminal, "versions of apps"));
}

async function requireEmpty(name: string): Promise<void> {
  if ((await findContent()).documents === 0) return;
  throw new CommandRefusal(
    `The database ${name} holds data already: only an empty one can take those of another server`,
  );
}

/** Losses of one kind are counted after so many. */
const mostLines = 50;

function describe(
  { carried, losses }: Moved,
  verification: Verification | null,
  dryRun: boolean,
): Pick<Report, "lines" | "exitCode"> {
  const unexplained = verification?.differences.filter(({ reason }) => reason === null) ?? [];
  const explained = (verification?.differences.length ?? 0) - unexplained.length;
  return {
    lines: [
      dryRun ? "Would be carried over:" : "Carried over:",
      ...Object.entries(carried).map(([name, count]) => `  ${count} ${name.replaceAll("_", " ")}`),
      losses.length === 0 ? "Nothing is lost" : `Not carried over, or not as it was: ${losses.length}`,
      ...losses.slice(0, mostLines).map(({ what, reason }) => `  ${what}: ${reason}`),
      ...(losses.length > mostLines ? [`  … and ${losses.length - mostLines} more: --report FILE has them all`] : []),
      ...(verification === null
        ? []
        : [
            `${verification.tables} tables of ${verification.apps} apps compared: ${explained} differences explained, ` +
              `${unexplained.length} not`,
          ]),
      ...unexplained.map(({ environment, path }) => `  ${environment}: ${path} differs, and nobody knows why`),
    ],
    exitCode: unexplained.length > 0 ? exitCodes.refused : exitCodes.done,
  };
}
