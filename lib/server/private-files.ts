import { chmodSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Settings } from "@/lib/platform/settings";

/** Group and others. */
const notOwner = 0o077;

/** Closes `DATA_DIR` to other users (mode 0700): it holds private keys. Gives a sentence when that fails, else null. */
export function closeDataDir({ dataDir }: Pick<Settings, "dataDir">): string | null {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    return "DATA_DIR cannot be made: nothing will be kept on disk";
  }
  if (!isOpenToOthers(dataDir)) return null;
  try {
    chmodSync(dataDir, 0o700);
    return null;
  } catch {
    return "DATA_DIR can be read by other users of this machine and belongs to somebody else: chmod 700";
  }
}

/** Files with private keys or secrets that other users of this machine may read, as sentences for the operator. */
export function findReadableSecrets(
  settings: Pick<Settings, "tls" | "certificateGeneration">,
  root: string,
): readonly string[] {
  const { tls, certificateGeneration: generation } = settings;
  const files = [
    path.join(root, ".env"),
    ...(tls === null ? [] : [tls.privateKeyPath]),
    ...(generation.enabled ? [generation.caPrivateKeyPath] : []),
  ];
  return files
    .filter(isOpenToOthers)
    .map((file) => `${path.relative(root, file)} holds secrets and can be read by other users: chmod 600`);
}

/** Where there are no modes of that kind, as on Windows, nothing can be said. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === "win32") return false;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & notOwner) !== 0;
}
