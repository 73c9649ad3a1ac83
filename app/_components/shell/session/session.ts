import { showProblem } from "@/app/_components/feedback/show-toast";
import { askToLeave, listDirty, stopGuarding } from "@/app/_components/form/leave-guard";
import { loadPage } from "@/app/_components/shell/navigation/load-page";
import { getQuietly, post } from "@/lib/platform/http/client";

const path = "/api/v1/ui/session";

/** Asks when the session ends as things are, in milliseconds since 1970; null when that cannot be learned. */
export function findSessionEnd(): Promise<number | null> {
  return getQuietly(path).then(readEnd, () => null);
}

/** Tells the server that somebody is there. Gives when the session ends now; null when there is none any more. */
export function keepSession(): Promise<number | null> {
  return post(path).then(readEnd, () => null);
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

/** The dialog of the shell registers itself here. */
export function registerSignIn(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Has the reader sign in over the page. Gives whether there is a session again. */
export function requestSignIn(): Promise<boolean> {
  return asker === null ? Promise.resolve(false) : asker();
}

/**
 * The session is over: the reader signs in over the page where something would be lost, else the login page comes and
 * leads back. Gives whether there is a session again.
 */
export function endSession({ mustStay = false }: Readonly<{ mustStay?: boolean }> = {}): Promise<boolean> {
  if (mustStay || listDirty().length > 0) return requestSignIn();
  const { pathname, search } = window.location;
  loadPage(`/login?${new URLSearchParams({ redirect: pathname + search }).toString()}`);
  return Promise.resolve(false);
}

/** Ends the session, asking first when unsaved changes would be left behind. */
export async function signOut(): Promise<void> {
  if (listDirty().length > 0 && !(await askToLeave())) return;
  try {
    // The identity provider's own session is ended there, and leads back to the login page.
    const next = readText(await post("/api/v1/logout"), "continue_at");
    stopGuarding();
    loadPage(next ?? "/login");
    announceSignOut();
  } catch (error) {
    showProblem(error);
  }
}

const channelName = "policy-server-session";

/** Tells the other tabs that the session is over. */
export function announceSignOut(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("signed-out");
  channel.close();
}

/** Calls `listener` when another tab signs out. Gives what stops it. */
export function onSignOut(listener: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = () => listener();
  return () => channel.close();
}
