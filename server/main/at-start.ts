import { chmodSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { setForChildren, type Settings } from "@/lib/platform/settings";
import { log } from "@/lib/platform/log";
import { requiresSignIn } from "@/lib/platform/settings/kinds";
import { findSavedOrigin } from "@/lib/policy/saved/snapshot-file";
import { formatGivenUp } from "@/lib/platform/settings/kinds";

const notOwner = 0o077;

/** Closes `DATA_DIR` to other users (mode 0700): it contains private keys. Returns a sentence on failure, else null. */
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

/** Files with private keys or secrets that other users of this machine can read, as sentences for the operator. */
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

function isOpenToOthers(file: string): boolean {
  if (process.platform === "win32") return false;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & notOwner) !== 0;
}

/** Tells where the server listens: in the log, or in three lines to somebody who tries it out (`operations.md` O10). */
export function announce(settings: Settings): void {
  const host = settings.listenAddress ?? "127.0.0.1";
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${settings.policyServerPort}`;
  // Standard output is the log's.
  if (settings.isTrial) return void process.stderr.write(`${linesForTrial(url, settings.dataDir).join("\n")}\n`);
  log.info({ url }, "listening");
  if (settings.usesEmbeddedDatabase) {
    log.warn(
      { folder: settings.dataDir },
      "embedded database: for trying out, not for production; set MONGODB_URI for real use",
    );
  }
  if (!requiresSignIn(settings.authType))
    log.warn("no password: anybody who reaches the listening address is an administrator");
}

const linesForTrial = (url: string, dataDir: string) => [
  `Open ${url} (Ctrl-C stops the server).`,
  `The apps and the app directory are made up. What you change stays in ${dataDir}.`,
  "Next: docs/tour.md shows you around. For others and for vehicles, set AUTH_TYPE and more: README.md, Set up production.",
];

const flag = "--accept-empty-database";

/** With the option, makes child processes discard the policy now on disk. The setting does not match later ones. */
export async function passOnAcceptance(args: readonly string[], dataDir: string): Promise<void> {
  if (!args.includes(flag)) return;
  const saved = await findSavedOrigin(dataDir);
  if (saved === null) log.info(`${flag}: no policy is kept on disk, so there is nothing to give up`);
  else setForChildren("ACCEPT_EMPTY_DATABASE", formatGivenUp(saved));
}
