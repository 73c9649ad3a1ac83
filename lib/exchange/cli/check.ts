import { readText } from "@/lib/exchange/cli/files";
import { CommandRefusal, exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { readCarJson } from "@/lib/policy/head-unit/car-json";
import { checkTable as findProblems, isBlocking } from "@/lib/policy/checks/table-faults";

/**
 * `exchange.md` X4. `file` is a response of this server, `{ "policy_table": … }`, or the table alone; `isPreloaded`:
 * head units are built with it. Throws CommandRefusal.
 */
export async function checkTableFile(file: string, isPreloaded = false): Promise<TerminalReport> {
  const { table, told } = await readTableFile(file);
  const findings = findProblems(table, { isPreloaded });
  const faults = findings.filter(isBlocking);
  const count = (wanted: string) => faults.filter(({ severity }) => severity === wanted).length;
  const counted = [[count("stranded"), "stranded"] as const, [count("danger"), "faults"] as const];
  const others = counted.flatMap(([number, what]) => (number > 0 ? `, ${number} ${what}` : []));
  return {
    data: { findings },
    lines: [
      ...told,
      ...findings.map(({ severity, build, path, message }) => `${severity} (${build}): ${path}: ${message}`),
      findings.length === 0
        ? "Every head unit accepts it as it is"
        : `${findings.length} findings, ${count("refused")} refused${others.join("")}`,
    ],
    exitCode: faults.length > 0 ? exitCodes.refused : exitCodes.done,
  };
}

/** As head units read it (`exchange.md` X4a). `told` says what of the file is not JSON. Throws CommandRefusal. */
export async function readTableFile(file: string): Promise<{ readonly table: unknown; readonly told: string[] }> {
  const text = await readText(file);
  if (text.startsWith("\uFEFF")) {
    throw new CommandRefusal(
      `${file} begins with a byte-order mark: it is not JSON, and head units refuse it. Save it without the mark.`,
    );
  }
  try {
    const { value, leniencies } = readCarJson(text);
    const told = `${file} is not JSON, but head units read it all the same: ${leniencies.join(", ")}`;
    return { table: findTable(value), told: leniencies.length > 0 ? [told] : [] };
  } catch {
    throw new CommandRefusal(`${file} is not JSON`);
  }
}

function findTable(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("policy_table" in value) return value.policy_table;
  if ("data" in value && Array.isArray(value.data)) return findTable(value.data[0]);
  return value;
}
