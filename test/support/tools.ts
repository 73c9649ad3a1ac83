import { accessSync, constants } from "node:fs";
import path from "node:path";

const cached = path.join(import.meta.dirname, "../../node_modules/.cache/tools/bin");

/** Null if not installed, after printing what is skipped; with `REQUIRE_TOOLS`, as in `.ci/run`, a failure. */
export function findTool(name: string, skipped: string): string | null {
  const folders = [cached, ...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  const found = folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
  if (found !== null) return found;
  if (process.env.REQUIRE_TOOLS) throw new Error(`There is no ${name}: ${skipped} cannot be tested`);
  console.warn(`skipped, there is no ${name}: ${skipped}`);
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
