import { writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Api } from "@/lib/exchange/cli/api";
import { readTableFile } from "@/lib/exchange/cli/check";
import { type ImportOptions, reportImport } from "@/lib/exchange/cli/exchange";
import { readLanguages } from "@/lib/exchange/seed/files";
import { CommandRefusal, type Report } from "@/lib/exchange/cli/terminal";
import { exportAnswer, importAnswer } from "@/lib/exchange/answer-schema";
import { fromPreloaded, toPreloaded } from "@/lib/exchange/preloaded";
import { policyAnswer } from "@/lib/policy/answer/answer-schema";
import { checkTable, isBlocking } from "@/lib/policy/checks/table-faults";
import { isObject } from "@/lib/policy/head-unit/values";

/**
 * `import-preloaded FILE` (`exchange.md` X3): imports groups, messages and module config of a head unit's table into
 * staging, all or nothing, and lists everything it cannot import.
 *
 * @param root folder with the list of languages
 * @throws like `Api.ask`; CommandRefusal if the file is not a table
 */
export async function importPreloaded(
  api: Api,
  file: string,
  root: string,
  { dryRun = false }: Pick<ImportOptions, "dryRun">,
): Promise<Report> {
  const { table, told } = await readTableFile(file);
  if (!isObject(table) || !isObject(table["functional_groupings"]))
    throw new CommandRefusal(`${file} is not a policy table`);
  const known = await readLanguages(root);
  const staging = exportAnswer.parse(await api.ask("/exchange", { query: { environment: "staging" } }));
  const { document, left } = fromPreloaded(table, staging.document, known);
  const body = { document, prune: false, dry_run: dryRun };
  const data = importAnswer.parse(await api.ask("/exchange", { method: "POST", body }));
  return {
    data: { ...data, left_members: left },
    lines: [...told, ...left.map(({ path, reason }) => `· ${path}: ${reason}`), ...reportImport(data)],
  };
}

/**
 * `export-preloaded FILE` (`exchange.md` X3): writes the production policy as a table to build into head units.
 *
 * @param date for its `preloaded_date`, as `2026-01-31`; null: none
 * @throws like `Api.ask`; CommandRefusal if head units would refuse it or get no other after it, without writing anything
 */
export async function exportPreloaded(api: Api, file: string, date: string | null): Promise<Report> {
  const answer = await api.ask("/policy/preview", { query: { environment: "production" } });
  policyAnswer.parse(answer);
  const [{ policy_table: table }] = z
    .tuple([z.object({ policy_table: z.record(z.string(), z.unknown()) })])
    .parse(answer);
  const preloaded = toPreloaded(table, date);
  const findings = checkTable(preloaded, { isPreloaded: true });
  const lines = findings.map(({ severity, path, message }) => `${severity}: ${path}: ${message}`);
  if (findings.some(isBlocking)) {
    const isRefused = findings.some(({ severity }) => severity === "refused");
    const fault = isRefused ? "Head units would refuse the table" : "Head units would never ask for another table";
    throw new CommandRefusal(fault, { findings }, lines);
  }
  await writeFile(file, `${JSON.stringify({ policy_table: preloaded }, null, 2)}\n`);
  return { data: { file, findings }, lines: [...lines, file] };
}
