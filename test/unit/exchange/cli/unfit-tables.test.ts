import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Api } from "@/lib/exchange/cli/api";
import { checkTableFile } from "@/lib/exchange/cli/check";
import { exportPreloaded } from "@/lib/exchange/cli/preloaded";
import { exitCodes } from "@/lib/exchange/cli/terminal";
import { updateRpcs } from "@/lib/vocabulary/terms";
import { tableWith } from "@/test/support/valid-table";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { strandedRows } from "../../policy/head-unit/stranded";

const folder = temporaryFolder();
const file = path.join(folder, "table.json");

const silent = updateRpcs.flatMap((rpc) => {
  const place = ["functional_groupings", "Base", "rpcs", rpc];
  return [
    { ...{ rule: "G10 next update", about: `no ${rpc}`, severity: "danger" }, reported: { path: place } },
    {
      ...{ rule: "G10 next update", about: `${rpc} at other levels`, severity: "danger" },
      reported: { path: [...place, "hmi_levels"], value: ["FULL", "LIMITED", "BACKGROUND"] },
    },
  ];
});
const ends: Readonly<Record<string, string>> = { stranded: ", 0 refused, 1 stranded", danger: ", 0 refused, 1 faults" };

describe.each([...strandedRows, ...silent])("$rule ($about)", ({ reported, severity }) => {
  it("fails the command check", async () => {
    writeFileSync(file, JSON.stringify({ policy_table: tableWith(reported) }));
    const { exitCode, lines } = await checkTableFile(file);
    expect(exitCode).toBe(exitCodes.refused);
    expect(lines.at(-1)).toContain(ends[severity] ?? "1 refused");
  });

  it("is not exported for head units to be built with", async () => {
    const target = path.join(folder, "preloaded.json");
    const api = { ask: () => Promise.resolve([{ policy_table: tableWith(reported) }]) } as unknown as Api;
    await expect(exportPreloaded(api, target, null)).rejects.toThrow(/refuse the table|never ask for another table/);
    expect(existsSync(target)).toBe(false);
  });
});
