import { writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Api } from "@/lib/exchange/cli/api";
import { readTableFile } from "@/lib/exchange/cli/check";
import { type ImportOptions, reportImport } from "@/lib/exchange/cli/exchange";
import { buildRpcSpecification, readLanguages, readSeed } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { nativeVehicleData } from "@/lib/policy/table/vehicle-data";
import { CommandRefusal, exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { exportAnswer, importAnswer } from "@/lib/exchange/answer-schema";
import { fromPreloaded, toPreloaded } from "@/lib/exchange/preloaded";
import { policyAnswer } from "@/lib/policy/answer/answer-schema";
import { checkTable, isBlocking } from "@/lib/policy/checks/table-faults";
import { isObject } from "@/lib/policy/head-unit/values";
import { plural } from "@/lib/vocabulary/format-number";

/**
 * `exchange.md` X3. Imports into staging and lists everything it does not import. Exit code 1 if head units would
 * notice. `root` has the languages and the RPC specification. Throws CommandRefusal if the file is not a table.
 */
export async function importPreloaded(
  api: Api,
  file: string,
  root: string,
  { dryRun = false }: Pick<ImportOptions, "dryRun">,
): Promise<TerminalReport> {
  const { table, told } = await readTableFile(file);
  if (!isObject(table) || !isObject(table["functional_groupings"]))
    throw new CommandRefusal(`${file} is not a policy table`);
  const specification = buildRpcSpecification(await readSeed(root, seedFiles.rpcSpec), new Date(0));
  const known = {
    languages: await readLanguages(root),
    vehicleData: new Set(nativeVehicleData({ ...specification, storedAt: 0 }).map(({ name }) => name)),
  };
  const staging = exportAnswer.parse(await api.ask("/exchange", { query: { environment: "staging" } }));
  const { document, left } = fromPreloaded(table, staging.document, known);
  const body = { document, prune: false, dry_run: dryRun };
  const data = importAnswer.parse(await api.ask("/exchange", { method: "POST", body }));
  const losses = left.filter(({ isLoss }) => isLoss).length;
  return {
    data: { ...data, left_members: left.map(({ isLoss, ...member }) => ({ ...member, is_loss: isLoss })) },
    lines: [
      ...told,
      ...left.map(({ path, reason, isLoss }) => `${isLoss ? "! lost:" : "·"} ${path}: ${reason}`),
      ...reportImport(data),
      ...(losses > 0 ? [`${plural(losses, "member")} of the file could not be imported`] : []),
    ],
    exitCode: losses > 0 ? exitCodes.refused : exitCodes.done,
  };
}

/**
 * `exchange.md` X3. `date` is like `2026-01-31`; null: none. Throws CommandRefusal if head units would refuse the table
 * or get no other after it, without writing anything.
 */
export async function exportPreloaded(api: Api, file: string, date: string | null): Promise<TerminalReport> {
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
