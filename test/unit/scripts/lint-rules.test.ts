import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "@/test/support/temporary-folder";

const folder = temporaryFolder();

it("finds what each rule that holds in some places forbids, and nothing where it is allowed", () => {
  cpSync(".oxlintrc.json", path.join(folder, ".oxlintrc.json"));
  const library = path.resolve("node_modules/scslre/index.js");
  const readsEnvironment = "declare const process: { env: { PATH: string } };\nexport const path = process.env.PATH;\n";
  const sources = {
    "scripts/lint-rules.mjs": readFileSync("scripts/lint-rules.mjs", "utf8").replace(
      '"scslre"',
      JSON.stringify(library),
    ),
    "lib/slow.ts": "export const end = /\\/+$/;\nexport const fast = /^\\/+/;\n",
    "lib/paths.ts": readsEnvironment,
    "lib/platform/settings.ts": readsEnvironment,
    "scripts/told.ts": "console.log(1);\n",
    "app/told.tsx": "console.log(1);\n",
    "app/types.ts": 'export const count: number = "1";\n',
  };
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const found = spawnSync(path.resolve("node_modules/.bin/oxlint"), ["--format", "unix"], {
    cwd: folder,
    encoding: "utf8",
  });
  const lines = found.stdout
    .split("\n")
    .flatMap((line) => /^(\S+?):\d+:\d+: .*\[\w+\/(.*)\]$/.exec(line)?.slice(1, 3).join(" ") ?? []);
  expect(lines.toSorted()).toEqual([
    "app/told.tsx eslint(no-console)",
    "app/types.ts typescript(TS2322)",
    "lib/paths.ts eslint(no-restricted-properties)",
    "lib/slow.ts project(linear-expression)",
  ]);
});
