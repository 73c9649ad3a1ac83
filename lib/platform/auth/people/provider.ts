"one per process";

import "server-only";
import { type Client, custom, type CustomHttpOptionsProvider, errors, Issuer } from "openid-client";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { isOwnMachine } from "@/lib/platform/settings/address-kinds";
import type { Socket } from "node:net";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";

const heldMs = 60 * 60 * 1000;
const answeringMs = 1_000;
export const toleranceSeconds = 300;
/** In order of preference; RS256 first, because every provider supports it. */
const algorithms = ["RS256", "PS256", "ES256", "EdDSA", "RS512", "PS512", "ES384", "ES512", "RS384", "PS384"];

export interface Provider {
  readonly client: Client;
  readonly issuer: string;
  readonly canSignOut: boolean;
  readonly hasUserInfo: boolean;
}

interface Held {
  readonly key: string;
  readonly at: number;
  readonly provider: Provider;
}

interface Asked {
  readonly key: string;
  readonly at: number;
  readonly answer: Promise<Provider>;
}

const shared: { held: Held | null; asked: Asked | null } = {
  held: null,
  asked: null,
};

/** The identity provider, discovered at first use and hourly (`people.md` P2). Throws ProviderDown, or Error. */
export async function findProvider(now = Date.now()): Promise<Provider> {
  const held = findHeld();
  if (held !== null && now - held.at < heldMs) return held.provider;
  try {
    return await askProvider(now);
  } catch (error) {
    // The old metadata is most likely still valid.
    if (held === null || !isProviderDown(error)) throw error;
    log.warn({ err: error }, "cannot load the identity provider's metadata");
    return held.provider;
  }
}

/** Like `findProvider`, before a redirect to the provider: checks at most once a second that it answers (`people.md` P5). */
export async function findAnsweringProvider(now = Date.now()): Promise<Provider> {
  const held = findHeld();
  return held !== null && now - held.at < answeringMs ? held.provider : askProvider(now);
}

function readClient() {
  const { oidcIssuer: issuer, oidcClientId: id, oidcClientSecret: secret } = loadSettings();
  if (issuer === null || id === null || secret === null) throw new AppError("notFound");
  return { issuer, id, secret, key: JSON.stringify([issuer, id, secret]) };
}

function findHeld(): Held | null {
  const { key } = readClient();
  return shared.held?.key === key ? shared.held : null;
}

/** Callers within one second share the answer. Nobody waits for an earlier request that stalled. */
async function askProvider(now: number): Promise<Provider> {
  const { issuer, id, secret, key } = readClient();
  let { asked } = shared;
  if (asked?.key !== key || now - asked.at >= answeringMs) {
    asked = { key, at: now, answer: discover(issuer, id, secret) };
    shared.asked = asked;
    const own = asked;
    const forget = () => {
      if (shared.asked === own) shared.asked = null;
    };
    own.answer.then(forget, forget);
  }
  const provider = await asked.answer;
  // A later request may have been answered first.
  if (shared.held?.key !== key || shared.held.at <= now) shared.held = { key, at: now, provider };
  return provider;
}

async function discover(address: string, client_id: string, client_secret: string): Promise<Provider> {
  boundCalls(Issuer);
  const issuer = await Issuer.discover(address);
  const { metadata } = issuer;
  if (trimmed(metadata.issuer) !== trimmed(address))
    throw new Error("The provider names another issuer than OIDC_ISSUER");
  const endpoints = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.jwks_uri,
    metadata.userinfo_endpoint,
    metadata.end_session_endpoint,
  ].filter((endpoint) => typeof endpoint === "string");
  if (!endpoints.every(isSafe)) throw new Error("The provider names an address that is not https");
  const known = readTexts(metadata.id_token_signing_alg_values_supported);
  const ways = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const client = new issuer.Client({
    client_id,
    client_secret,
    response_types: ["code"],
    id_token_signed_response_alg: algorithms.find((name) => known.includes(name)) ?? "RS256",
    token_endpoint_auth_method: ways.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post",
  });
  boundCalls(issuer, client);
  client[custom.clock_tolerance] = toleranceSeconds;
  return {
    client,
    issuer: metadata.issuer,
    canSignOut: metadata.end_session_endpoint !== undefined,
    hasUserInfo: metadata.userinfo_endpoint !== undefined,
  };
}

const trimmed = (address: string) => address.replace(/\/$/, "");
const readTexts = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether it is safe to send secrets there: over TLS, or to this machine. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isOwnMachine(hostname));
}

const busyStatuses = [408, 429];
const busyErrors = ["server_error", "temporarily_unavailable"];

export function isProviderDown(error: unknown): boolean {
  if (error instanceof errors.OPError) {
    const status = error.response?.statusCode ?? 0;
    return status >= 500 || busyStatuses.includes(status) || busyErrors.some((one) => one === error.error);
  }
  if (!(error instanceof Error)) return false;
  if (/timed out/.test(error.message)) return true;
  return "code" in error && typeof error.code === "string" && /^E[A-Z_]+$|^UND_|^CERT_|_CERT/.test(error.code);
}

export function isRefusedGrant(error: unknown): boolean {
  return error instanceof errors.OPError && error.error === "invalid_grant";
}

export function forgetProvider(): void {
  shared.held = null;
  shared.asked = null;
}

interface CallLimits {
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
}

const usualLimits: CallLimits = { deadlineMs: 10_000, maxAnswerBytes: 1024 * 1024 };
let limits = usualLimits;

export function replaceCallLimits(replaced: Partial<CallLimits> | null): void {
  limits = { ...usualLimits, ...replaced };
}

/** Limits time and size of all openid-client requests (`people.md` P5): by `Issuer`, each issuer and each client. */
export function boundCalls(...callers: readonly { [custom.http_options]: CustomHttpOptionsProvider }[]): void {
  for (const caller of callers) caller[custom.http_options] = boundedOptions;
}

const boundedOptions: CustomHttpOptionsProvider = ({ protocol }) => ({
  agent: protocol === "https:" ? secureAgent : plainAgent,
  timeout: limits.deadlineMs,
});

/* One connection per request: limiting the connection limits the request, whatever the library does. */
const plainAgent = new OutgoingHttpAgent({ keepAlive: false }, { onConnection: bound });
const secureAgent = new OutgoingHttpsAgent({ keepAlive: false }, { onConnection: bound });

function bound(socket: Socket): void {
  const { deadlineMs, maxAnswerBytes } = limits;
  let received = 0;
  // No error is passed, because the library may no longer listen for one.
  const cut = (reason: string) => {
    log.warn({ reason }, "cut off an answer of the identity provider");
    socket.destroy();
  };
  const deadline = setTimeout(() => cut(`not complete after ${deadlineMs} ms`), deadlineMs);
  socket.on("data", (part: Buffer) => {
    received += part.length;
    if (received > maxAnswerBytes && !socket.destroyed) cut(`longer than ${maxAnswerBytes} bytes`);
  });
  socket.once("close", () => clearTimeout(deadline));
}
