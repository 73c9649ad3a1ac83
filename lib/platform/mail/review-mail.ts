"one per process";

import "server-only";
import { log } from "@/lib/platform/log";
import { buildReviewMessage, type PendingApp } from "@/lib/platform/mail/rules";
import { findMailRoute, type MailRoute, sendMail, MailFailure } from "@/lib/platform/mail/send-mail";
import type { Settings } from "@/lib/platform/settings";

export interface ReviewMail {
  /** Adds an app to the next message. Never throws, never waits. */
  add(app: PendingApp): void;
  stop(): Promise<void>;
}

const usual = {
  /** A message is sent if no further app arrives for this time… */
  quietMs: 10_000,
  /** …or if its first app has waited for this time. */
  longestMs: 60_000,
  deadlineMs: 30_000,
  stopMs: 3_000,
  maxListed: 100,
};
export type ReviewMailOptions = Partial<typeof usual> & { readonly tls?: MailRoute["tls"] };

/** Mails reviewers about new apps, several at once. Waiting ones may be lost: the console's list is complete. */
export function startReviewMail(settings: Settings, options: ReviewMailOptions = {}): ReviewMail {
  const route = findMailRoute(settings);
  if (route === null) return { add: () => undefined, stop: () => Promise.resolve() };
  const withTls = options.tls === undefined ? route : { ...route, tls: options.tls };
  return new GatheredMail(withTls, settings.publicBaseUrl, options);
}

const gathered = new Set<GatheredMail>();

export function countWaitingMail(): number {
  return [...gathered].reduce((sum, mail) => sum + mail.waiting, 0);
}

class GatheredMail implements ReviewMail {
  readonly #route: MailRoute;
  readonly #baseUrl: string;
  readonly #options: typeof usual;
  readonly #listed = new Map<number, PendingApp>();
  #unlisted = 0;
  #quiet: NodeJS.Timeout | undefined;
  #longest: NodeJS.Timeout | undefined;
  #isDue = false;
  #sending: Promise<void> | null = null;
  #isStopped = false;
  readonly #givingUp = new AbortController();

  constructor(route: MailRoute, baseUrl: string, options: ReviewMailOptions) {
    this.#route = route;
    this.#baseUrl = baseUrl;
    this.#options = { ...usual, ...options };
    gathered.add(this);
  }

  get waiting(): number {
    return this.#listed.size + this.#unlisted;
  }

  add({ id, name }: PendingApp): void {
    if (this.#isStopped) return;
    if (this.#listed.size < this.#options.maxListed || this.#listed.has(id)) this.#listed.set(id, { id, name });
    else this.#unlisted += 1;
    const send = () => void this.#send();
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(send, this.#options.quietMs).unref();
    this.#longest ??= setTimeout(send, this.#options.longestMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const limit = setTimeout(() => this.#givingUp.abort(), this.#options.stopMs);
    await this.#send();
    clearTimeout(limit);
    gathered.delete(this);
  }

  #send(): Promise<void> {
    this.#isDue = true;
    return (this.#sending ??= this.#work());
  }

  async #work(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#sendGathered();
    }
    this.#sending = null;
  }

  async #sendGathered(): Promise<void> {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    this.#longest = undefined;
    const total = this.waiting;
    if (total === 0) return;
    const message = buildReviewMessage([...this.#listed.values()], total, this.#baseUrl);
    this.#listed.clear();
    this.#unlisted = 0;
    const deadline = AbortSignal.timeout(this.#options.deadlineMs);
    try {
      await sendMail(this.#route, message, AbortSignal.any([deadline, this.#givingUp.signal]));
      log.info({ apps: total, recipients: this.#route.to.length }, "sent mail about apps waiting for review");
    } catch (error) {
      logFailure(error, total);
    }
  }
}

function logFailure(error: unknown, apps: number): void {
  const { code, status } = error instanceof MailFailure ? error : { code: undefined, status: undefined };
  const reason = error instanceof Error ? error.message : "unknown";
  log.error({ apps, reason, code, status }, "could not send mail about apps waiting for review");
}
