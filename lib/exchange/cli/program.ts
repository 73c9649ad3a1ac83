import { Argument, Command, InvalidArgumentError, Option, CommanderError } from "commander";
import { type CommonOptions, createApi, findOwnServer, type Api } from "@/lib/exchange/cli/api";
import { verifyExport, type AuditVerifyOptions } from "@/lib/exchange/cli/audit";
import { backupTo, restoreFrom } from "@/lib/exchange/cli/backup";
import { checkTableFile } from "@/lib/exchange/cli/check";
import { completionFor, shells } from "@/lib/exchange/cli/completion";
import { diffWith, exportTo, importFrom, type ImportOptions } from "@/lib/exchange/cli/exchange";
import { drill } from "@/lib/exchange/cli/drill";
import { exportPreloaded, importPreloaded } from "@/lib/exchange/cli/preloaded";
import { moveFromSdlServer, type MoveOptions } from "@/lib/exchange/cli/migration";
import { publish, type PublishOptions, readSteps, returnTo, simulateRequest } from "@/lib/exchange/cli/releases";
import { addServerCommands } from "@/lib/exchange/cli/server-commands";
import {
  align,
  CommandRefusal,
  exitCodeMeanings,
  exitCodes,
  type Terminal,
  type TerminalReport,
} from "@/lib/exchange/cli/terminal";
import { type ProofContext, type ProofOptions, proveRepeatedly } from "@/lib/exchange/cli/verifying";
import { packageVersion } from "@/lib/platform/version";
import { maskCredentials } from "@/lib/platform/log";
import { SettingsError } from "@/lib/platform/settings";
import { namesOf } from "@/lib/vocabulary/members";
import type { RolloutStep } from "@/lib/vocabulary/rollouts";

export interface ProgramContext extends ProofContext {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the settings of a file, by default that of the service, in addition to the environment. */
  readonly readSettings: (file: string | undefined) => void;
  readonly onReport: (report: TerminalReport, isJson: boolean) => void;
}

/** The command line (`exchange.md` X4): commands, their arguments and actions. */
export function buildProgram(context: ProgramContext): Command {
  const { terminal, environment, onReport } = context;
  const program = new Command("open-policy")
    .description("Policy as files, releases, backups and migration, for an open policy server")
    .version(packageVersion)
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.note })
    .hook("preAction", (_program, action) => {
      const { settings } = action.opts<{ readonly settings?: string }>();
      if (action.options.some(({ long }) => long === "--settings")) context.readSettings(settings);
    })
    .addHelpText("after", () => `\nExit codes:\n${helpOfCodes.map((line) => `  ${line}\n`).join("")}`);

  const command = (name: string, description: string, parent = program) =>
    parent.command(name).description(description).option("--json", "the result as JSON");
  const owning = (made: Command) =>
    made.option("--settings <file>", "file with the server's settings (.env, or /etc/policy-server.env)");
  const connected = (name: string, description: string, parent = program) =>
    owning(command(name, description, parent))
      .option("--server <url>", "address of the server (OPEN_POLICY_URL)", parseUrl)
      .option("--token <token>", "token of the API (OPEN_POLICY_TOKEN)");
  const ofFolder = (name: string, description: string) =>
    connected(name, description).argument("<dir>", "folder, or one file whose name ends in .json");
  const releasing = (name: string, description: string, parent: Command) =>
    connected(name, description, parent)
      .option("--name <text>", "name of the release")
      .option("--note <text>", "note of the release")
      .option("--force <reason>", "publish with findings, for this reason");
  const tell = async ({ json = false }: CommonOptions, report: Promise<TerminalReport>) => onReport(await report, json);

  const proofOf = ({ token }: CommonOptions) => ({
    token: token ?? (environment.OPEN_POLICY_TOKEN || undefined),
    password: environment.OPEN_POLICY_PASSWORD || undefined,
  });
  const findApi = ({ server, token }: CommonOptions): Api | null => {
    const address = server ?? (environment.OPEN_POLICY_URL || undefined);
    if (address === undefined) return null;
    if (!isUrl(address)) program.error(`error: OPEN_POLICY_URL is not valid. ${urlForm}`);
    return createApi({ server: address, ...proofOf({ token }) });
  };
  const requireApi = (options: CommonOptions): Api =>
    findApi(options) ?? createApi(findOwnServer(context.settings(), proofOf(options)));
  const asking =
    <Argument, Options>(run: (api: Api, argument: Argument, options: Options) => Promise<TerminalReport>) =>
    (argument: Argument, options: Options & CommonOptions) =>
      tell(options, run(requireApi(options), argument, options));
  const topic = (name: string, description: string) => program.command(name).description(description);
  const releases = topic("releases", "list, show, publish and roll back");

  ofFolder("export", "write a view as files; comments in existing files stay")
    .addOption(new Option("--environment <name>", "the view").choices(["staging", "production"]))
    .option("--release <number>", "production as of this release", parseNumber)
    .action(asking(exportTo));
  ofFolder("import", "import files into staging, all or nothing; publishes nothing")
    .option("--prune", "the files are complete: delete what they do not mention")
    .option("--dry-run", "only show what would be done")
    .action(asking(importFrom));
  ofFolder("diff", "show how files differ from staging; exit code 3 if they do")
    .option("--prune", "the files are complete")
    .option("--out <file>", "write a plan for publishing only these differences, for publish --plan")
    .action(asking(diffWith));
  for (const [parent, publishName, rollBackName] of [
    [releases, "publish", "roll-back"],
    [program, "publish", "return"],
  ] as const) {
    releasing(publishName, "publish what a plan names, or everything that waits in staging", parent)
      .addOption(new Option("--plan <file>", "exactly what diff --out has written, or nothing").conflicts("all"))
      .option("--all", "everything that waits")
      .option("--at <time>", "schedule it, e.g. 2026-03-01T06:00:00Z")
      .option("--steps <list>", "to some vehicles first: percent:hours, e.g. 1:24,10:24,100", parseSteps)
      .option("--dry-run", "only show what would be published")
      .action((options: CommonOptions & PublishOptions) => tell(options, publish(requireApi(options), options)));
    releasing(rollBackName, "make production what it was as of a release", parent)
      .addArgument(new Argument("<release>", "number of the release").argParser(parseNumber))
      .option("--dry-run", "only show what would change")
      .action(asking(returnTo));
  }
  addServerCommands({
    ...{ releases, topic, connected, parseNumber },
    asking: (run) => (options) => tell(options, run(requireApi(options), options)),
    askingAbout: asking,
  });
  connected("simulate", "show the answer that a vehicle would get to this request, and why")
    .argument("<file>", "a shortened policy table as JSON")
    .addOption(new Option("--environment <name>", "the environment").choices(["staging", "production"]))
    .option("--release <number>", "as of this release", parseNumber)
    .action(asking(simulateRequest));
  command("check", "show what head units would refuse in a policy table; needs no server")
    .argument("<file>", "a policy table, or an answer that holds one, as JSON")
    .option("--preloaded", "as the table that head units are built with, not as an update")
    .action((file: string, options: CommonOptions & { readonly preloaded?: boolean }) =>
      tell(options, checkTableFile(file, options.preloaded)),
    );
  command("audit-verify", "check that exported events are unchanged; needs no server")
    .argument("<file>", "an export of the whole activity as NDJSON")
    .option("--key-file <file>", "audit-key of the server's DATA_DIR; else AUDIT_KEY")
    .option("--head <hash>", "the hash of an event that must be among them")
    .action((file: string, options: CommonOptions & AuditVerifyOptions) =>
      tell(options, verifyExport(file, options, environment.AUDIT_KEY || undefined)),
    );
  connected("import-preloaded", "import a head unit's table into staging; exit code 1 if something is lost")
    .argument("<file>", "a preloaded policy table as JSON")
    .option("--dry-run", "only show what would be done")
    .action(asking((api, file: string, options: ImportOptions) => importPreloaded(api, file, context.root, options)));
  connected("export-preloaded", "write production as a table that head units can be built with")
    .argument("<file>", "the file to be written")
    .option(
      "--dated",
      "write preloaded_date: head units in PROPRIETARY or HTTP mode then return to this table at every start",
    )
    .action(
      asking((api, file: string, { dated }: CommonOptions & { readonly dated?: boolean }) =>
        exportPreloaded(api, file, dated ? context.now().toISOString().slice(0, 10) : null),
      ),
    );
  connected("backup", "write all data to one file; without a server from MONGODB_URI or DATA_DIR")
    .argument("<file>", "the file to be written; private keys are in it")
    .action((file: string, options: CommonOptions) =>
      tell(options, backupTo(file, findApi(options), context, terminal)),
    );
  owning(command("restore", "restore a backup into MONGODB_URI or DATA_DIR; stop the servers first"))
    .argument("<file>", "a backup")
    .option("--replace", "replace existing data")
    .action((file: string, options: CommonOptions & { readonly replace?: boolean }) =>
      tell(options, restoreFrom(file, { replace: options.replace ?? false, now: context.now() }, context, terminal)),
    );
  owning(command("restore-drill", "restore a backup into a scratch database and compare all policy tables"))
    .argument("[file]", "a backup; default: the newest in BACKUP_DIR")
    .action((file: string | undefined, options: CommonOptions) => tell(options, drill(file, context, terminal)));
  owning(command("import-sdl-server", "import the data of an sdl_server into an empty MONGODB_URI or DATA_DIR"))
    .requiredOption(
      "--postgres <url>",
      "its database, such as postgres://user@host:5432/database (password in PGPASSWORD)",
    )
    .option("--postgres-password-file <file>", "a file that holds the password, or PGPASSWORD_FILE")
    .option("--dry-run", "only show what would be imported, and what would not")
    .option("--catch-up", "import what has changed there since the last run")
    .option("--report <file>", "write the whole report to this file, which only you can read")
    .option("--verify <url>", "address of the other server: compare the tables of both", parseUrl)
    .action((options: CommonOptions & MoveOptions) => tell(options, moveFromSdlServer(options, context)));
  owning(
    command(
      "verify-sdl-server",
      "prove that an sdl_server and MONGODB_URI or DATA_DIR give cars the same tables; exit code 1 if not",
    ),
  )
    .addArgument(new Argument("<url>", "address of the other server").argParser(parseUrl))
    .option("--known <file>", "accept the differences that this report of import-sdl-server explains")
    .option("--every <time>", "repeat at this interval, e.g. 30m or 1h, until a signal", parseInterval)
    .action((url: string, options: CommonOptions & ProofOptions) =>
      proveRepeatedly(url, options, context, (report) => onReport(report, options.json ?? false)),
    );
  program
    .command("completion")
    .description("print a script that completes commands in a shell")
    .addArgument(new Argument("<shell>").choices(shells))
    .action((shell: (typeof shells)[number]) => terminal.write(completionFor(shell, program)));
  return program;
}

const helpOfCodes = align(namesOf(exitCodes).map((name) => [String(exitCodes[name]), exitCodeMeanings[name]]));

const urlForm = "It must begin with http:// or https://.";
const isUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);

function parseUrl(text: string): string {
  if (isUrl(text)) return text;
  throw new InvalidArgumentError(urlForm);
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** At most a day, because timers have a limit. */
function parseInterval(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  if (ms > 0 && ms <= 24 * 3_600_000) return ms;
  throw new InvalidArgumentError("It must be a time of at most 24h, e.g. 90s, 30m or 1h.");
}

function parseNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number.");
}

function parseSteps(text: string): RolloutStep[] {
  const steps = readSteps(text);
  if (steps !== null) return steps;
  throw new InvalidArgumentError("It must be percent:hours,…, e.g. 1:24,10:24,100.");
}

/** Returns the exit code (`exchange.md` X4). */
export async function runCommandLine(
  args: readonly string[],
  context: Omit<ProgramContext, "onReport">,
): Promise<number> {
  const { write, note } = context.terminal;
  let exitCode: number = exitCodes.done;
  const program = buildProgram({
    ...context,
    onReport: (report, isJson) => {
      write(isJson ? `${JSON.stringify(report.data, null, 2)}\n` : report.lines.map((line) => `${line}\n`).join(""));
      exitCode = report.exitCode ?? exitCodes.done;
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Requested help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
    const { message, lines, data } = describe(error);
    if (args.includes("--json")) write(`${JSON.stringify({ error: message, ...data }, null, 2)}\n`);
    note([message, ...lines].map((line) => `${line}\n`).join(""));
    return error instanceof CommandRefusal ? error.exitCode : exitCodes.refused;
  }
}

/** Passwords are removed from connection strings. */
function describe(error: unknown): { message: string; lines: readonly string[]; data: object } {
  if (error instanceof CommandRefusal)
    return { message: error.message, lines: error.lines, data: { data: error.data } };
  if (error instanceof SettingsError) return { message: "The settings are not valid", lines: error.problems, data: {} };
  const message = error instanceof Error ? error.message : String(error);
  return { message: maskCredentials(message), lines: [], data: {} };
}
