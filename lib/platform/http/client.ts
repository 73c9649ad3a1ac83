import { displayNameHeader, displayNameKey } from "@/lib/platform/http/headers/display-name-header";
import type { Envelope } from "@/lib/platform/http/envelope";

/** A failed call of the API, with the server's own sentence. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    /** HTTP status; 0 when the server could not be reached. */
    readonly status: number,
    /** For finding the request in the log. */
    readonly requestId: string | null,
    readonly data: unknown,
    /** Seconds after which the server wants to be asked again; null when it says nothing. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** What is done when the session turns out to be over, for reading or for changing; gives whether there is one again. */
type SignIn = (isRead: boolean) => Promise<boolean>;
let signIn: SignIn | null = null;

/** The console says how its reader signs in again: then a refused call is repeated. Gives what ends that. */
export function whenSessionIsOver(ask: SignIn): () => void {
  signIn = ask;
  return () => {
    if (signIn === ask) signIn = null;
  };
}

let isNameless = false;
let isNameVerified = false;

/** The console says whether the proxy in front names its reader: then no name of their own is missed. */
export function noteVerifiedName(is: boolean): void {
  isNameVerified = is;
}

/** Whether something has been changed from this tab by somebody who has given no name. */
export const hasChangedNameless = (): boolean => isNameless && !isNameVerified;

/** Reads from the API; the fetcher of SWR. Gives `data` of the envelope. */
export function get(url: string): Promise<unknown> {
  return callSignedIn("GET", url);
}

/** As `get`, where a session that is over is no reason to disturb the reader. */
export function getQuietly(url: string): Promise<unknown> {
  return call("GET", url);
}

type Send = (url: string, given?: Readonly<{ arg?: unknown }>) => Promise<unknown>;
const sending =
  (method: string): Send =>
  (url, { arg } = {}) =>
    callSignedIn(method, url, arg);

/** These send `arg` as JSON; for `useSWRMutation`. They give `data` of the envelope. */
export const post = sending("POST");
export const put = sending("PUT");
export const patch = sending("PATCH");
export const remove = sending("DELETE");

/** Reads from the API with a body (JSON text), for SWR. An expired session does not disturb the reader. */
export function ask([url, body]: readonly [url: string, body: string]): Promise<unknown> {
  return call("POST", url, JSON.parse(body));
}

export function postPassword(password: string): Promise<unknown> {
  return call("POST", "/api/v1/login", { password });
}

async function callSignedIn(method: string, url: string, body?: unknown): Promise<unknown> {
  try {
    const data = await call(method, url, body);
    isNameless ||= method !== "GET" && readName() === null;
    return data;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || !(await signIn?.(method === "GET"))) throw error;
    return call(method, url, body);
  }
}

async function call(method: string, url: string, body: unknown = {}): Promise<unknown> {
  const init = method === "GET" ? {} : { headers: buildHeaders(), body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...init }).catch((cause: unknown) => {
    throw Object.assign(new ApiError("The server cannot be reached", 0, null, null), { cause });
  });
  const envelope = await readEnvelope(response);
  if (response.ok && envelope) return envelope.data;
  throw new ApiError(
    envelope?.meta.message ?? `The server answered with status ${response.status}`,
    response.status,
    envelope?.meta.request_id ?? null,
    envelope?.data ?? null,
    readSeconds(response.headers.get("retry-after")),
  );
}

function buildHeaders(): Record<string, string> {
  const name = readName();
  return { "Content-Type": "application/json", ...(name && { [displayNameHeader]: encodeURIComponent(name) }) };
}

/** The name under which changes made here are recorded; null: none. */
function readName(): string | null {
  try {
    // Half a character cannot be encoded.
    return localStorage.getItem(displayNameKey)?.trim().toWellFormed() || null;
  } catch {
    // The browser keeps nothing.
    return null;
  }
}

function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Null when something other than this server answered, such as the error page of a proxy. */
async function readEnvelope(response: Response): Promise<Envelope | null> {
  const value: unknown = await response.json().catch(() => null);
  return isEnvelope(value) ? value : null;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "meta" in value && "data" in value;
}
