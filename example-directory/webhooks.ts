import { setTimeout as wait } from "node:timers/promises";
import type { WebhookAction } from "@/example-directory/apps";
import type { DirectoryRecord } from "@/example-directory/generator";

export interface Webhook {
  /** Full address of the route, e.g. `http://127.0.0.1:3000/api/v1/webhook`. */
  readonly url: string;
  readonly action: WebhookAction | (string & {});
  readonly uuid: string;
  /** Sent as header `public_key`; another than the directory's is a wrong one. */
  readonly key: string;
  /** The app concerned, for the timestamps; null when there is none. */
  readonly record: DirectoryRecord | null;
}

export type WebhookAttempt = { readonly status: number } | { readonly error: string };

/** The directory waits this long for an answer, in milliseconds. */
const deadlineMs = 5_000;

/** Whether the last attempt was accepted. */
export function isDelivered(attempts: readonly WebhookAttempt[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && "status" in last && last.status >= 200 && last.status < 300;
}

/** Sends a notification until it is accepted, at most once more than there are pauses; `stop` ends it. */
export async function deliverWebhook(
  webhook: Webhook,
  pausesMs: readonly number[],
  stop: AbortSignal,
): Promise<WebhookAttempt[]> {
  const attempts = [await attempt(webhook, stop)];
  for (const pause of pausesMs) {
    if (isDelivered(attempts)) break;
    // Rejects only when it is stopped.
    await wait(pause, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    attempts.push(await attempt(webhook, stop));
  }
  return attempts;
}

async function attempt({ url, action, uuid, key, record }: Webhook, stop: AbortSignal): Promise<WebhookAttempt> {
  const body = {
    entity: "application",
    action,
    uuid,
    updated_ts: record?.updated_ts ?? new Date().toISOString(),
    deleted_ts: record?.deleted_ts ?? null,
  };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=UTF-8", public_key: key },
      body: JSON.stringify(body),
      signal: AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)]),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { cause, message } = error instanceof Error ? error : new Error(String(error));
    return { error: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
}
