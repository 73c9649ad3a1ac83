import "server-only";
import { issueFirstCertificate } from "@/lib/certificates/app/app-container";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import type { HandleBundle } from "@/lib/apps/directory/apps/bundle-step";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { startFeedbackSender } from "@/lib/apps/directory/queue/feedback-sender";
import { startReviewMail } from "@/lib/platform/mail/review-mail";
import type { Settings } from "@/lib/platform/settings";

const context: WriteContext = { actor: "directory", route: "application jobs", requestId: null };

/**
 * Starts working off what waits in the database, from this run or earlier ones (`directory.md` sections 6, 7 and 10).
 *
 * @param isReading whether all apps are being read now
 * @returns ends it
 */
export function startQueues(
  settings: Settings,
  client: DirectoryClient,
  handleBundle: HandleBundle,
  isReading: () => boolean,
): () => Promise<unknown> {
  const mail = startReviewMail(settings);
  const jobs = startApplicationJobs({
    client: () => client,
    ...{ settings, handleBundle },
    mail: (app) => mail.add(app),
    issueCertificate: (uuid) => issueFirstCertificate(uuid, context),
  });
  const feedback = startFeedbackSender({ client: () => client, isReading });
  return async () => {
    await Promise.all([jobs.stop(), feedback.stop()]);
    await mail.stop();
  };
}
