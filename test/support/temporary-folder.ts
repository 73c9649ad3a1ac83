import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const folders: string[] = [];

/** An empty folder that is removed at the end of the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "policy-server-test-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  // What the file has stopped may still be writing.
  const options = { recursive: true, force: true, maxRetries: 100, retryDelay: 50 };
  for (const folder of folders.splice(0)) rmSync(folder, options);
}
