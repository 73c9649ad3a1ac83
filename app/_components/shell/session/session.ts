import { showProblem } from "@/app/_components/feedback/show-toast";
import { listDirty, stopGuarding } from "@/app/_components/form/leave-guard";
import { loadPage } from "@/app/_components/shell/navigation/load-page";
import { countersPath } from "@/app/_components/shell/navigation/counters";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { getQuietly, post } from "@/lib/platform/http/client";

const path = "/api/v1/ui/session";

/** In milliseconds since 1970; null if unknown. */
export function findSessionEnd(): Promise<number | null> {
  return getQuietly(path).then(readEnd, () => null);
}

/** Returns the new end; null if there is no session any more. */
export function keepSession(): Promise<number | null> {
  return post(path).then(readEnd, () => null);
}

/** As `useReaderId`. @throws ApiError */
export async function findReaderId(): Promise<string | null> {
  const { reader } = (await getQuietly(countersPath)) as Partial<CountersAnswer>;
  return reader?.id ?? null;
}

function readEnd(data: unknown): number | null {
  const text = readText(data, "ends_ts");
  const end = text === null ? NaN : Date.parse(text);
  return Number.isNaN(end) ? null : end;
}

function readText(data: unknown, member: string): string | null {
  const value: unknown = typeof data === "object" && data !== null ? Reflect.get(data, member) : null;
  return typeof value === "string" ? value : null;
}

type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

export function registerSignIn(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Returns whether there is a session again. */
export function requestSignIn(): Promise<boolean> {
  return asker === null ? Promise.resolve(false) : asker();
}

/**
 * Signs in over the page if changes would be lost, otherwise on the login page, which leads back.
 * Returns whether there is a session again.
 */
export function endSession({ mustStay = false }: Readonly<{ mustStay?: boolean }> = {}): Promise<boolean> {
  if (mustStay || listDirty().length > 0) return requestSignIn();
  const { pathname, search } = window.location;
  loadPage(`/login?${new URLSearchParams({ redirect: pathname + search }).toString()}`);
  return Promise.resolve(false);
}

/** Drafts wait in this tab for the next session. */
export async function signOut(): Promise<void> {
  try {
    // The identity provider ends its own session there and redirects to the login page.
    const next = readText(await post("/api/v1/logout"), "continue_at");
    stopGuarding();
    loadPage(next ?? "/login");
    announceSignOut();
  } catch (error) {
    showProblem(error);
  }
}

const channelName = "policy-server-session";

/** Tells other tabs. */
export function announceSignOut(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("signed-out");
  channel.close();
}

export function onSignOut(listener: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = () => listener();
  return () => channel.close();
}
