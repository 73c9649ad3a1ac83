import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import { isAppError } from "@/lib/errors";
import { parseForm } from "@/lib/http/read/read-body";
import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import type { AnswerBytes } from "@/lib/policy/gzip/answer-bytes";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { isJsonTooDeep, parseJsonWithin } from "@/lib/http/read/json-depth";
import { PolicyRequestError, readPolicyTable, isPolicyRequestError } from "@/lib/policy/answer/policy-request";
import type { Environment } from "@/lib/words/vocabulary";

/** What a vehicle sent, as far as it matters, and what it is to be answered from. */
export interface VehicleRequest {
  readonly environment: Environment;
  readonly body: Buffer;
  /** The media type as sent; only that of forms matters (`api.md` 0.2). */
  readonly contentType?: string | undefined;
  readonly acceptsGzip: boolean;
  /** The policy in service, or null while there is none. */
  readonly policy: CompiledPolicy | null;
  readonly hooks: CryptoHooks;
}

/** A complete answer; how it is sent is the caller's matter. */
export interface VehicleAnswer extends AnswerBytes {
  readonly status: number;
  readonly requestId: string;
  readonly isGzip: boolean;
  readonly retryAfter: number | null;
  /** Apps that it was asked for; null when the request could not be read so far. */
  readonly apps: number | null;
  /** What went wrong inside the server, for the log. */
  readonly cause: unknown;
}

/** What is told of an answer to a vehicle, for log and metrics. */
export interface VehicleEvent {
  readonly environment: Environment;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  /**
   * In a lane from the first line of the request to the last byte handed to the system; in the framework, which has read the
   * first line before, to the whole answer. In milliseconds.
   */
  readonly milliseconds: number;
  readonly bytes: number;
  readonly cause: unknown;
}

/** Nesting that no head unit sends; hooks of a site need not survive more. */
const deepestNesting = 64;

const openingBrace = 0x7b;

/**
 * Answers a shortened table with the full table (rules R1 to R7, `api.md` 9.1).
 *
 * Pure but for the request id. Answers at once unless a hook is configured, because waiting for a promise would cost
 * every vehicle a turn of the event loop. Never throws, never rejects.
 */
export function answerVehicle(request: VehicleRequest): VehicleAnswer | Promise<VehicleAnswer> {
  const requestId = randomUUID();
  try {
    if (!request.policy) return refuse(requestId, 503, "Service unavailable", 5);
    const value = readBody(request);
    const { hooks, policy } = request;
    if (hooks.decryptPolicyTable ?? hooks.encryptPolicyTable) {
      return answerThroughHooks(value, policy, request, requestId).catch((error: unknown) => explain(error, requestId));
    }
    const asked = readPolicyTable(value);
    const parts = buildAnswer(policy, asked, requestId);
    return send(join(parts, request.acceptsGzip), requestId, request.acceptsGzip, asked.apps.length);
  } catch (error) {
    return explain(error, requestId);
  }
}

/** An error answer of the policy routes: the envelope and a top-level `error` that existing clients read. */
export function refuse(
  requestId: string,
  status: number,
  message: string,
  retryAfter: number | null = null,
  cause: unknown = null,
): VehicleAnswer {
  const body = Buffer.from(
    JSON.stringify({ error: message, meta: { request_id: requestId, code: status, message }, data: {} }),
  );
  return { status, requestId, isGzip: false, retryAfter, apps: null, cause, buffers: [body], length: body.length };
}

/** The value of `policy_table` in a body; undefined when there is none. */
function readBody({ body, contentType }: VehicleRequest): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new PolicyRequestError("Body is not valid UTF-8");
  const value = isForm(body, contentType) ? parseForm(body.toString()) : parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PolicyRequestError("Body must be a JSON object");
  }
  return Object.hasOwn(value, "policy_table") ? Reflect.get(value, "policy_table") : undefined;
}

/** Tools that name no other type say "form" and send JSON; no form begins with a brace. */
function isForm(body: Buffer, contentType: string | undefined): boolean {
  return contentType?.startsWith("application/x-www-form-urlencoded") === true && body[0] !== openingBrace;
}

function parseJson(body: Buffer): unknown {
  try {
    return parseJsonWithin(body, deepestNesting);
  } catch (error) {
    if (!isJsonTooDeep(error)) throw new PolicyRequestError("Malformed JSON body");
    throw new PolicyRequestError(`Body is nested deeper than ${deepestNesting} levels`);
  }
}

async function answerThroughHooks(
  value: unknown,
  policy: CompiledPolicy,
  { hooks, environment, acceptsGzip }: VehicleRequest,
  requestId: string,
): Promise<VehicleAnswer> {
  const table = hooks.decryptPolicyTable ? await decrypt(hooks.decryptPolicyTable, value, environment) : value;
  const asked = readPolicyTable(table);
  const parts = buildAnswer(policy, asked, requestId);
  if (!hooks.encryptPolicyTable) return send(join(parts, acceptsGzip), requestId, acceptsGzip, asked.apps.length);
  const answer = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()) as { meta: unknown; data: unknown };
  const data = await hooks.encryptPolicyTable(answer.data, environment);
  const plain = Buffer.from(JSON.stringify({ meta: answer.meta, data }));
  // Nothing of it was there before; compressing it takes milliseconds, which the others need not wait for.
  const bytes = acceptsGzip ? await compress(plain, { level: 1 }) : plain;
  return send({ buffers: [bytes], length: bytes.length }, requestId, acceptsGzip, asked.apps.length);
}

const compress = promisify<Buffer, ZlibOptions, Buffer>(gzip);

async function decrypt(
  hook: NonNullable<CryptoHooks["decryptPolicyTable"]>,
  value: unknown,
  environment: Environment,
): Promise<unknown> {
  try {
    return await hook(value, environment);
  } catch (cause) {
    throw new PolicyRequestError("policy_table cannot be decrypted", { cause });
  }
}

function join(parts: AnswerParts, isGzip: boolean): AnswerBytes {
  return isGzip ? joinGzip(parts) : joinPlain(parts);
}

function send({ buffers, length }: AnswerBytes, requestId: string, isGzip: boolean, apps: number): VehicleAnswer {
  return { status: 200, requestId, isGzip, retryAfter: null, apps, cause: null, buffers, length };
}

function explain(error: unknown, requestId: string): VehicleAnswer {
  if (isAppError(error)) return refuse(requestId, error.status, error.message, null, error.cause ?? null);
  return isPolicyRequestError(error)
    ? refuse(requestId, 400, error.message, null, error.cause ?? null)
    : refuse(requestId, 500, "Internal server error", null, error);
}
