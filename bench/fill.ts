/**
 * Fills a data directory: first data and the given number of made-up apps.
 *
 * Run as a program of its own (`tsx bench/fill.ts <data dir> <apps> [--example-apps]`), so that its memory is not part of a measurement.
 */
import { readFileSync } from "node:fs";
import { buildApplicationVersion } from "@/lib/applications/rules";
import { saveApplicationFlags, saveApplicationVersion } from "@/lib/applications/store-version";
import { connect, disconnect } from "@/lib/db/connect";
import { openDatabase } from "@/lib/db/provider";
import { inTransaction } from "@/lib/db/transaction";
import { directoryApplication } from "@/lib/directory/schema";
import { saveFirstData } from "@/lib/seed/first-data";

const [dataDir = "", count = "0", ...options] = process.argv.slice(2);
const perTransaction = 500;

const database = await openDatabase({ dataDir });
await connect({ uri: database.uri, dbName: "policy_server" });
await saveFirstData({
  root: process.cwd(),
  publicBaseUrl: "http://127.0.0.1:3000",
  withExampleApps: options.includes("--example-apps"),
});

const samples = JSON.parse(readFileSync("seed/example-apps.json", "utf8")) as Record<string, unknown>[];
const defaults = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: true,
  encryptionRequired: false,
};
const context = { actor: "setup", route: "bench", requestId: null };

for (let first = 0; first < Number(count); first += perTransaction) {
  await inTransaction(context, async (tx) => {
    for (let at = first; at < Math.min(first + perTransaction, Number(count)); at++) {
      const { local: _, short_uuid: __, ...sample } = samples[at % samples.length] ?? {};
      const record = directoryApplication.parse({
        ...sample,
        uuid: benchUuid(at),
        name: `App ${at}`,
        version_id: at + 1,
      });
      const version = buildApplicationVersion(record, { defaults, serviceTypes: [], now: tx.now });
      await saveApplicationVersion(tx, { ...version, denialMessage: null, groupGrants: [] });
      await saveApplicationFlags(tx, record.uuid, {});
    }
  });
}
await disconnect();
await database.close();

function benchUuid(at: number): string {
  return `${at.toString(16).padStart(8, "0")}-aaaa-4bbb-8ccc-000000000000`;
}
