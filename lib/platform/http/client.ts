import { displayNameHeader, displayNameKey } from "@/lib/platform/http/headers/display-name-header";
import type { Envelope } from "@/lib/platform/http/envelope";

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    /** HTTP status; 0: no response. */
    readonly status: number,
    readonly requestId: string | null,
    readonly data: unknown,
    /** Seconds until the server accepts a retry; null: it does not say. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

type SignIn = (isRead: boolean) => Promise<boolean>;
let signIn: SignIn | null = null;

/** Sets how the console signs its user in again; a refused call is then repeated. Returns a function that unsets it. */
export function whenSessionIsOver(ask: SignIn): () => void {
  signIn = ask;
  return () => {
    if (signIn === ask) signIn = null;
  };
}

let isNameless = false;
let isNameVerified = false;

/** Notes whether the proxy names the user, who then needs no name of their own. */
export function noteVerifiedName(is: boolean): void {
  isNameVerified = is;
}

export const hasChangedNameless = (): boolean => isNameless && !isNameVerified;

export function get(url: string): Promise<unknown> {
  return callSignedIn("GET", url);
}

/** Like `get`, without asking the user to sign in again. */
export function getQuietly(url: string): Promise<unknown> {
  return call("GET", url);
}

type Send = (url: string, given?: Readonly<{ arg?: unknown }>) => Promise<unknown>;
const sending =
  (method: string): Send =>
  (url, { arg } = {}) =>
    callSignedIn(method, url, arg);

/** These send `arg` as JSON, for `useSWRMutation`, and return `data` of the envelope. */
export const post = sending("POST");
export const put = sending("PUT");
export const patch = sending("PATCH");
export const remove = sending("DELETE");

/** Reads from the API with a body (JSON text), for SWR. Does not ask the user to sign in again. */
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

function readName(): string | null {
  try {
    // A lone surrogate cannot be encoded.
    return localStorage.getItem(displayNameKey)?.trim().toWellFormed() || null;
  } catch {
    // The browser blocks storage.
    return null;
  }
}

function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

async function readEnvelope(response: Response): Promise<Envelope | null> {
  const value: unknown = await response.json().catch(() => null);
  return isEnvelope(value) ? value : null;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "meta" in value && "data" in value;
}
