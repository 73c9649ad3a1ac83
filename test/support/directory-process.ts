/** Synchronizes until it is killed. Arguments: connection string, database name, endpoint as JSON. */
import "@/lib/releases/gate";
import { setTimeout as wait } from "node:timers/promises";
import { connect } from "@/lib/platform/db/connection/connect";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { createDirectoryClient } from "@/lib/apps/directory/client/client";
import type { DirectoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { startFeedbackSender } from "@/lib/apps/directory/queue/feedback-sender";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import { silentReport } from "@/lib/platform/process/task-report";
import { directoryContext, plainProcessing } from "@/test/support/directory";

const [uri = "", dbName = "", endpoint = "{}"] = process.argv.slice(2);
await connect({ uri, dbName });
const client = createDirectoryClient(JSON.parse(endpoint) as DirectoryEndpoint, { repeatAfterMs: [] });
const shared = { client: () => client, pollMs: 50, leaseMs: 1_000 };
const processing = { ...plainProcessing, settings: { autoApproveAllApps: true, encryptionRequired: false } };
startApplicationJobs({ ...processing, ...shared, delays: [100] });
startFeedbackSender({ ...shared, delays: Array.from({ length: 1_000 }, () => 100) });
for (;;) {
  // Failures are repeated; this program is about nothing else.
  await syncApplications(directoryContext, client, silentReport, processing).catch(() => undefined);
  process.stdout.write("synchronised\n");
  await wait(20);
}
