import { rm } from "node:fs/promises";
import path from "node:path";
import type { OwnDatabase } from "@/lib/exchange/cli/backup";
import { CommandRefusal, showProgress, type Terminal, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { findNewestBackup } from "@/lib/platform/backup/commands";
import { requireRestorable, restoreDocuments } from "@/lib/platform/backup/restore";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { withAuditKey } from "@/lib/platform/secrets/own-secret";
import type { Settings } from "@/lib/platform/settings";
import { packageVersion } from "@/lib/platform/version";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { compareDigests, digestTables } from "@/lib/policy/table-digests";

/** Lines about differences that people get; `--json` has all. */
const maxLines = 20;

/**
 * `exchange.md` X12a. Restores a backup, or the newest of `BACKUP_DIR`, into a scratch database, has it prepared as a
 * start does, and compares all policy tables with those of the backup's source. Never opens the server's own database.
 * Throws BackupRefused; CommandRefusal with the name of everything that differs.
 */
export async function drill(
  given: string | undefined,
  database: OwnDatabase,
  terminal: Terminal,
): Promise<TerminalReport> {
  const settings = database.settings();
  const file = given ?? (await findNewest(settings));
  const header = await requireRestorable(file);
  const start = performance.now();
  const { documents, snapshot, found } = await withScratchDatabase(settings, database, async () => {
    await restoreDocuments(file, header, { head: null, ids: [] }, showProgress(terminal, "documents"));
    await saveFirstData({ root: database.root, publicBaseUrl: settings.publicBaseUrl, withExampleApps: false });
    const loaded = await createSnapshotLoader().load();
    const publicBaseUrl = header.tables?.publicBaseUrl ?? settings.publicBaseUrl;
    return {
      documents: Object.values(header.collections).reduce((sum, count) => sum + count, 0),
      snapshot: loaded,
      found: await digestTables(loaded, { ...settings, publicBaseUrl }),
    };
  });
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const differences = header.tables === undefined ? [] : compareDigests(header.tables, found);
  const [apps, tables] = [snapshot.apps.size, Object.keys(found.tables).length];
  const { at, revision, version } = header;
  const data = { file, at, revision, version, documents, apps, tables, seconds, differences };
  const restored = `${file}: ${documents} documents restored, revision ${revision}, of ${at}`;
  if (differences.length > 0) throw refuse(differences, data);
  const compared =
    header.tables === undefined
      ? `${tables} policy tables with ${apps} apps compiled, but not compared: version ${version} stored no digests`
      : `${tables} policy tables with ${apps} apps are byte by byte those of the backup's server`;
  return { data: { ...data, is_compared: header.tables !== undefined }, lines: [restored, compared] };
}

async function findNewest({ backupDir }: Settings): Promise<string> {
  if (backupDir === null) throw new CommandRefusal("Name a file, or set BACKUP_DIR");
  const newest = await findNewestBackup(backupDir);
  if (newest === null) throw new CommandRefusal(`There is no nightly backup in ${backupDir}`);
  return newest;
}

function refuse(differences: readonly string[], data: { readonly version: string }): CommandRefusal {
  const { length } = differences;
  const sentence = `From the restored database, vehicles would get other tables than from the backup's server: ${length} differences`;
  const others = length > maxLines ? [`and ${length - maxLines} more`] : [];
  const reasons = [
    ...(data.version === packageVersion ? [] : [`Version ${data.version} made the backup; use that version`]),
    ...(differences[0]?.startsWith("module config") ? ["The drill needs the certificate settings of the server"] : []),
  ];
  return new CommandRefusal(sentence, data, [...differences.slice(0, maxLines), ...others, ...reasons]);
}

/** In `DATA_DIR`, which has room for a database. What a killed drill has left is removed by the next one. */
async function withScratchDatabase<T>(
  settings: Settings,
  { start }: Pick<OwnDatabase, "start">,
  work: () => Promise<T>,
): Promise<T> {
  const folder = path.join(settings.dataDir, "database.drill");
  await (await start(folder)).close();
  await rm(folder, { recursive: true, force: true });
  const scratch = await start(folder);
  try {
    await connect({ uri: scratch.uri, dbName: settings.databaseName });
    return await withAuditKey(settings, work);
  } finally {
    await disconnect();
    await scratch.close();
    await rm(folder, { recursive: true, force: true });
  }
}
