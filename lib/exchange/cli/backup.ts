import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import type { BackupHeader } from "@/lib/platform/backup/format";
import { checkBackup } from "@/lib/platform/backup/read";
import { findContent, findReplaced, requireRestorable, restoreDocuments } from "@/lib/platform/backup/restore";
import {
  holdsData,
  removeSavedPolicies,
  restoreFolder,
  type RestoreOutcome,
} from "@/lib/platform/backup/restore-folder";
import type { Api } from "@/lib/exchange/cli/api";
import { hasOwnDatabase, type StartDatabase, withOwnDatabase } from "@/lib/exchange/cli/own-database";
import { CommandRefusal, type TerminalReport, showProgress, type Terminal } from "@/lib/exchange/cli/terminal";
import type { Settings } from "@/lib/platform/settings";
import { tableDigester } from "@/lib/policy/table-digests";
import { forgetOwnSecret, withAuditKey } from "@/lib/platform/secrets/own-secret";

export interface OwnDatabase {
  readonly settings: () => Settings;
  readonly start: StartDatabase;
  /** The folder that contains `seed`. */
  readonly root: string;
}

const countOf = ({ collections }: BackupHeader) => Object.values(collections).reduce((sum, count) => sum + count, 0);

/** `exchange.md` X11. Reads the file back before reporting success. Throws CommandRefusal if the file exists. */
export async function backupTo(
  file: string,
  api: Api | null,
  database: OwnDatabase,
  terminal: Terminal,
): Promise<TerminalReport> {
  if (existsSync(file)) throw new CommandRefusal(`${file} exists already`);
  if (api === null) {
    const told = showProgress(terminal, "documents");
    const settings = database.settings();
    if (!hasOwnDatabase(settings)) {
      throw new CommandRefusal(`DATA_DIR has no database: ${settings.dataDir}. Set DATA_DIR, MONGODB_URI or --server`);
    }
    await withOwnDatabase(settings, database.start, () => writeBackupFile(file, told, tableDigester(settings)));
  } else await api.download("/backup", file);
  const header = await checkBackup(file).catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
  const documents = countOf(header);
  return {
    data: { file, documents, revision: header.revision, at: header.at, version: header.version },
    lines: [`${file}: ${documents} documents, revision ${header.revision}, of ${header.at}`],
  };
}

/**
 * `exchange.md` X11. Keeps the previous content: the embedded database's folder next to the new one, that of MongoDB as
 * a backup next to `file`. Throws BackupRefused; nothing has changed then.
 */
export async function restoreFrom(
  file: string,
  { replace, now }: { readonly replace: boolean; readonly now: Date },
  database: OwnDatabase,
  terminal: Terminal,
): Promise<TerminalReport> {
  const settings = database.settings();
  const told = showProgress(terminal, "documents");
  const { dataDir, databaseName } = settings;
  const { header, before } =
    settings.mongodbUri === null
      ? await withAuditKey(settings, () =>
          restoreFolder({ file, dataDir, databaseName, replace, start: database.start, told, now }),
        )
      : await withOwnDatabase(settings, database.start, () =>
          restoreInto(file, { replace, now, where: databaseName, told }),
        );
  await removeSavedPolicies(dataDir);
  forgetOwnSecret("session-secret", dataDir);
  const documents = countOf(header);
  return {
    data: { file, documents, revision: header.revision, at: header.at, before },
    lines: [
      `${documents} documents restored: revision ${header.revision}, of ${header.at}`,
      ...(before === null ? [] : [`What was there before is in ${before}`]),
      "API tokens in the backup are no longer valid: create new ones. Everybody must sign in again.",
      ...(settings.sessionSecret === null ? [] : ["Change SESSION_SECRET: it may still open sessions that had ended."]),
    ],
  };
}

async function restoreInto(
  file: string,
  { replace, now, where, told }: { replace: boolean; now: Date; where: string; told: ReturnType<typeof showProgress> },
): Promise<RestoreOutcome> {
  const header = await requireRestorable(file);
  const { documents, isHalf, isHalfImported } = await findContent();
  const isEmpty = documents === 0;
  if (!isEmpty && !replace) throw holdsData(where);
  // An interrupted restore or import is not worth keeping, because the complete source still exists.
  const isWorthKeeping = !isEmpty && !isHalf && !isHalfImported;
  const before = isWorthKeeping ? `${file}.replaced-${now.toISOString().replaceAll(/[:.]/g, "-")}` : null;
  if (before !== null) await writeBackupFile(before);
  await restoreDocuments(file, header, await findReplaced(), told);
  return { header, before };
}
