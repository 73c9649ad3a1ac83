import type { CommanderError } from "commander";
import { buildProgram, type ProgramContext } from "@/lib/exchange/cli/program";
import { exitCodes, isCommandRefusal } from "@/lib/exchange/cli/terminal";
import { errorNamed } from "@/lib/platform/errors";
import { maskCredentials } from "@/lib/platform/log";
import { isSettingsError } from "@/lib/platform/settings";

const isWrongUse = errorNamed<CommanderError>("CommanderError");

/**
 * Runs the command line (`exchange.md` X4).
 *
 * @param args what was typed after the program's name
 * @returns the exit code: 0 done, 1 refused, 2 wrong use, 3 differences found
 */
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
    // Help that was asked for is no error.
    if (isWrongUse(error)) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
    const { message, lines, data } = describe(error);
    if (args.includes("--json")) write(`${JSON.stringify({ error: message, ...data }, null, 2)}\n`);
    note([message, ...lines].map((line) => `${line}\n`).join(""));
    return exitCodes.refused;
  }
}

/** What people are told of a failure; a connection string has lost its password. */
function describe(error: unknown): { message: string; lines: readonly string[]; data: object } {
  if (isCommandRefusal(error)) return { message: error.message, lines: error.lines, data: { data: error.data } };
  if (isSettingsError(error)) return { message: "The settings are not valid", lines: error.problems, data: {} };
  const message = error instanceof Error ? error.message : String(error);
  return { message: maskCredentials(message), lines: [], data: {} };
}
