import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Api } from "@/lib/exchange/cli/api";
import { checkTable } from "@/lib/exchange/cli/check";
import { exportPreloaded } from "@/lib/exchange/cli/preloaded";
import { exitCodes } from "@/lib/exchange/cli/terminal";
import { tableWith } from "@/test/support/valid-table";
import { strandedRows } from "../../policy/head-unit/stranded";

const folder = mkdtempSync(path.join(tmpdir(), "policy-unfit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "table.json");

describe.each(strandedRows)("$rule ($about)", ({ reported, severity }) => {
  it("fails the command check", async () => {
    writeFileSync(file, JSON.stringify({ policy_table: tableWith(reported) }));
    const { exitCode, lines } = await checkTable(file);
    expect(exitCode).toBe(exitCodes.refused);
    expect(lines.at(-1)).toContain(severity === "stranded" ? ", 0 refused, " : "1 refused");
  });

  it("is not exported for head units to be built with", async () => {
    const target = path.join(folder, "preloaded.json");
    const api = { ask: () => Promise.resolve([{ policy_table: tableWith(reported) }]) } as unknown as Api;
    await expect(exportPreloaded(api, target, null)).rejects.toThrow(/refuse the table|never ask for another table/);
    expect(existsSync(target)).toBe(false);
  });
});
