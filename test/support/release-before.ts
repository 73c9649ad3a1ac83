import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@/test/support/temporary-folder";

/** The release before this one, and its commit. Raise both with each release. */
export const releaseBefore = { version: "0.1.0", commit: "4adc43be23918a748e203a4309593c81da096475" };

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../..");

/**
 * Builds the release before from the history of git, with its own packages from the registry.
 * @returns the file that `npm start` runs there. Null, after a sentence: this checkout has no history. Without a registry the
 *   same, but with `REQUIRE_TOOLS`, as in `.ci/run`, a failure
 */
export async function buildReleaseBefore(): Promise<string | null> {
  const { version, commit } = releaseBefore;
  const missing = (why: string) => {
    console.warn(`skipped: release ${version} cannot be built beside this one: ${why}`);
    return null;
  };
  if (!existsSync(path.join(root, ".git"))) return missing("this is no checkout");
  if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status !== 0)
    return missing("its commit is not here (git fetch --unshallow)");
  const folder = temporaryFolder();
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production" };
  const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
  try {
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--ignore-scripts"], options);
  } catch (error) {
    if (process.env.REQUIRE_TOOLS) throw error;
    return missing("its packages cannot be installed");
  }
  await run("npm", ["run", "build"], options);
  return path.join(folder, "scripts/start.mjs");
}
