"one per process";

import "server-only";
import { connect, type Socket } from "node:net";
import type { ReviewMessage } from "@/lib/platform/mail/rules";
import type { ConnectionOptions } from "node:tls";
import type { Settings } from "@/lib/platform/settings";
import type { Sender } from "@/lib/platform/settings/kinds";

/** Why a message was not sent, for the log. Omits the mail server's reply, which may quote addresses and logins. */
export class MailFailure extends Error {
  override readonly name = "MailFailure";

  constructor(
    reason: string,
    readonly code: string,
    readonly status: number | null,
  ) {
    super(reason);
  }
}

/** Sends one message; `signal` aborts it at any point. Throws MailFailure. */
export async function sendMail(route: MailRoute, message: ReviewMessage, signal: AbortSignal): Promise<void> {
  // Opened here, not by the library, so that it can be aborted.
  const socket = connect({ host: route.host, port: route.port });
  socket.on("error", () => undefined);
  let giveUp = (): void => undefined;
  try {
    const given = new Promise<never>((_resolve, reject) => {
      giveUp = () => reject(new MailFailure("the mail server took too long", "ETIMEDOUT", null));
    });
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    await Promise.race([deliver(route, message, socket), given]);
  } catch (error) {
    throw describeFailure(error);
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

async function deliver(route: MailRoute, message: ReviewMessage, socket: Socket): Promise<void> {
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const { createTransport } = await import("nodemailer");
  const { host, port, isTlsFromStart, login, from, to, tls } = route;
  const transport = createTransport({
    host,
    port,
    secure: isTlsFromStart,
    // Never send a password unencrypted, even if somebody strips STARTTLS from the server's offer.
    requireTLS: login !== null,
    connection: socket,
    ...(login === null ? {} : { auth: login }),
    ...(tls === undefined ? {} : { tls }),
    // A message must not include files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  await transport.sendMail({
    ...message,
    from: { name: from.name ?? "Policy server", address: from.address },
    to: [...to],
    headers: { "Auto-Submitted": "auto-generated" },
  });
}

function describeFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  if (!(error instanceof Error)) return new MailFailure("unknown", "unknown", null);
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown";
  const status = "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : null;
  const isAnswer = status !== null || "response" in error;
  return new MailFailure(isAnswer ? "the mail server refused" : error.message, code, status);
}

export interface MailRoute {
  readonly host: string;
  readonly port: number;
  readonly isTlsFromStart: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
  readonly from: Sender;
  readonly to: readonly string[];
  /** For tests. Operators set their own authority in NODE_EXTRA_CA_CERTS. */
  readonly tls?: ConnectionOptions;
}

export function isReviewMailOn(settings: Settings): boolean {
  return findMailRoute(settings) !== null;
}

export function findMailRoute(settings: Settings): MailRoute | null {
  const { smtpHost: host, smtpPort: port, smtpFrom: from, smtpUsername: user, smtpPassword } = settings;
  const { notifyAppReviewFrequency: frequency, notifyAppReviewEmails: to } = settings;
  if (host === null || from === null || frequency !== "REALTIME" || to.length === 0) return null;
  const login = user === null ? null : { user, pass: smtpPassword ?? "" };
  return { host, port, isTlsFromStart: port === 465, login, from, to };
}
