import type { ConnectionOptions } from "node:tls";
import type { Settings } from "@/lib/platform/settings";
import type { Sender } from "@/lib/platform/settings/kinds";

/** How to reach the mail server, and who writes to whom. */
export interface MailRoute {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS when the server offers it, and always with a login. */
  readonly isTlsFromStart: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
  readonly from: Sender;
  readonly to: readonly string[];
  /** For tests. Operators name an authority of their own in NODE_EXTRA_CA_CERTS. */
  readonly tls?: ConnectionOptions;
}

/** Whether mails about pending apps are sent at all (`directory.md` section 10). */
export function isReviewMailOn(settings: Settings): boolean {
  return findMailRoute(settings) !== null;
}

/** The way mails about pending apps take; null when none are to be sent. */
export function findMailRoute(settings: Settings): MailRoute | null {
  const { smtpHost: host, smtpPort: port, smtpFrom: from, smtpUsername: user, smtpPassword } = settings;
  const { notifyAppReviewFrequency: frequency, notifyAppReviewEmails: to } = settings;
  if (host === null || from === null || frequency !== "REALTIME" || to.length === 0) return null;
  const login = user === null ? null : { user, pass: smtpPassword ?? "" };
  return { host, port, isTlsFromStart: port === 465, login, from, to };
}
