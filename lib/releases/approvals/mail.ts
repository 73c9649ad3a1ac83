import "server-only";
import type { ApprovalJson } from "@/lib/releases/answer-schema";
import { log } from "@/lib/platform/log";
import { buildRequestMessage } from "@/lib/platform/mail/rules";
import { findMailRoute, sendMail } from "@/lib/platform/mail/send-mail";
import { loadSettings } from "@/lib/platform/settings";

const mailDeadlineMs = 30_000;

/** Mails reviewers about a request (`people.md` P9a). Never throws: the console also lists waiting requests. */
export async function mailApprovers(approval: ApprovalJson): Promise<void> {
  const settings = loadSettings();
  const route = findMailRoute(settings);
  if (route === null) return;
  const { id, author, name, title, path, items } = approval;
  const message = buildRequestMessage(
    {
      title: name ?? title,
      by: author?.display_name ?? author?.actor ?? "unknown",
      items: items.map(({ title }) => title),
    },
    `${settings.publicBaseUrl}${path}`,
  );
  try {
    await sendMail(route, message, AbortSignal.timeout(mailDeadlineMs));
    log.info({ approval: id, recipients: route.to.length }, "sent mail about a request for approval");
  } catch (error) {
    log.error({ err: error, approval: id }, "mail about a request for approval could not be sent");
  }
}
