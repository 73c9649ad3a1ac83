import { setTimeout as wait } from "node:timers/promises";
import type { WebhookAction } from "@/example-directory/apps";
import type { DirectoryRecord } from "@/example-directory/catalog";

export interface Webhook {
  /** Full URL of the route, e.g. `http://127.0.0.1:3000/api/v1/webhook`. */
  readonly url: string;
  readonly action: WebhookAction | (string & {});
  readonly uuid: string;
  /** Sent as header `public_key`; any key but the directory's is wrong. */
  readonly key: string;
  /** The app, for the timestamps; null if it does not exist. */
  readonly record: DirectoryRecord | null;
}

export type WebhookAttempt = { readonly status: number } | { readonly error: string };

/** Time that the app directory waits for a response, in milliseconds. */
const deadlineMs = 5_000;

export function isDelivered(attempts: readonly WebhookAttempt[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && "status" in last && last.status >= 200 && last.status < 300;
}

export async function deliverWebhook(
  webhook: Webhook,
  pausesMs: readonly number[],
  stop: AbortSignal,
): Promise<WebhookAttempt[]> {
  const attempts = [await attempt(webhook, stop)];
  for (const pause of pausesMs) {
    if (isDelivered(attempts)) break;
    // Rejects only if aborted.
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
