import { readFile } from "node:fs/promises";
import { CommandRefusal, exitCodes, type Report } from "@/lib/exchange/cli/terminal";
import { checkTable as findProblems, isBlocking } from "@/lib/policy/checks/table-faults";

/**
 * `check FILE` (`exchange.md` X4): what head units would refuse or change in a policy table, and whether the next one can
 * come after it (rule G10); needs no server.
 *
 * @param file a response of this server, `{ "policy_table": … }`, or the table alone, as JSON
 * @param isPreloaded whether head units are built with it instead of receiving it as an update (X3)
 * @throws CommandRefusal if it cannot be read
 */
export async function checkTable(file: string, isPreloaded = false): Promise<Report> {
  const findings = findProblems(findTable(await readJson(file)), { isPreloaded });
  const faults = findings.filter(isBlocking);
  const count = (wanted: string) => faults.filter(({ severity }) => severity === wanted).length;
  const counted = [[count("stranded"), "stranded"] as const, [count("danger"), "faults"] as const];
  const others = counted.flatMap(([number, what]) => (number > 0 ? `, ${number} ${what}` : []));
  return {
    data: { findings },
    lines: [
      ...findings.map(({ severity, build, path, message }) => `${severity} (${build}): ${path}: ${message}`),
      findings.length === 0
        ? "Every head unit accepts it as it is"
        : `${findings.length} findings, ${count("refused")} refused${others.join("")}`,
    ],
    exitCode: faults.length > 0 ? exitCodes.refused : exitCodes.done,
  };
}

/**
 * Reads a JSON file.
 *
 * @throws CommandRefusal with the reason
 */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new CommandRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandRefusal(`${file} is not JSON`);
  }
}

/** Finds the table within a response, or returns the value itself. */
export function findTable(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("policy_table" in value) return value.policy_table;
  if ("data" in value && Array.isArray(value.data)) return findTable(value.data[0]);
  return value;
}
