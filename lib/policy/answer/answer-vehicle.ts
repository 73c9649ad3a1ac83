import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import { errorNamed, isAppError } from "@/lib/platform/errors";
import { parseForm } from "@/lib/platform/http/read/read-body";
import { type AnswerBytes, type AnswerParts, buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { isJsonTooDeep, parseJsonWithin } from "@/lib/platform/http/read/json-depth";
import {
  isPolicyRequestError,
  type PolicyRequest,
  PolicyRequestError,
  readPolicyTable,
} from "@/lib/policy/answer/policy-request";
import { readRequestBytes } from "@/lib/policy/answer/request-bytes";
import { scanRequestBytes } from "@/lib/policy/answer/request-scan";
import type { Environment } from "@/lib/labels/vocabulary";

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
  /** How the request was read although its bytes were not what they should be (rule Q4); null: it was as it should be. */
  readonly repair: Repair | null;
  /** What went wrong inside the server, for the log. */
  readonly cause: unknown;
}

/** `utf8`: invalid UTF-8 was replaced; `scan`: the body wasn't JSON and was scanned for app ids. */
export const repairs = ["utf8", "scan"] as const;
export type Repair = (typeof repairs)[number];

/** What log and metrics record about an answer to a vehicle. */
export interface VehicleEvent {
  readonly environment: Environment;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  /**
   * In a vehicle worker from the first line of the request to the last byte handed to the system; in the framework, which has read the
   * first line before, to the whole answer. In milliseconds.
   */
  readonly milliseconds: number;
  readonly bytes: number;
  readonly repair: Repair | null;
  readonly cause: unknown;
}

/** Nesting that no head unit sends; hooks of a site need not survive more. */
const deepestNesting = 64;

const openingBrace = 0x7b;
const isSyntaxError = errorNamed<SyntaxError>("SyntaxError");

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
    const { hooks, policy } = request;
    const read = readBody(request);
    if (hooks.decryptPolicyTable ?? hooks.encryptPolicyTable) {
      return answerThroughHooks(read, policy, request, requestId).catch((error: unknown) => explain(error, requestId));
    }
    const asked = readPolicyTable(read.table);
    const parts = buildAnswer(policy, asked, requestId);
    return send(join(parts, request.acceptsGzip), request, requestId, asked, read.repair);
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
  return {
    ...{ status, requestId, isGzip: false, retryAfter, apps: null, repair: null, cause },
    ...{ buffers: [body], length: body.length },
  };
}

interface ReadBody {
  /** The value of `policy_table`, as far as `readPolicyTable` looks at it where no hook does; undefined: it was not sent. */
  readonly table: unknown;
  readonly repair: Repair | null;
}

/** Reads a body whatever its bytes are (rules Q1, Q2): phones garble names on the way, and will the next time as well. */
function readBody({ body, contentType, hooks }: VehicleRequest): ReadBody {
  if (body.length === 0) return { table: undefined, repair: null };
  const repair = isUtf8(body) ? null : "utf8";
  if (isForm(body, contentType)) return { table: tableOf(parseForm(body.toString())), repair };
  try {
    // A hook may read all of it.
    const isWhole = hooks.decryptPolicyTable !== undefined;
    return {
      table: tableOf(isWhole ? parseJsonWithin(body, deepestNesting) : readRequestBytes(body, deepestNesting)),
      repair,
    };
  } catch (error) {
    if (isJsonTooDeep(error)) throw new PolicyRequestError(`Body is nested deeper than ${deepestNesting} levels`);
    if (!isSyntaxError(error)) throw error;
    const table = hooks.decryptPolicyTable === undefined ? scanRequestBytes(body, deepestNesting) : null;
    if (table === null) throw new PolicyRequestError("Malformed JSON body");
    return { table, repair: "scan" };
  }
}

function tableOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PolicyRequestError("Body must be a JSON object");
  }
  return Object.hasOwn(value, "policy_table") ? Reflect.get(value, "policy_table") : undefined;
}

/** Tools that name no other type say "form" and send JSON; no form begins with a brace. */
function isForm(body: Buffer, contentType: string | undefined): boolean {
  return contentType?.startsWith("application/x-www-form-urlencoded") === true && body[0] !== openingBrace;
}

async function answerThroughHooks(
  { table: sent, repair }: ReadBody,
  policy: CompiledPolicy,
  request: VehicleRequest,
  requestId: string,
): Promise<VehicleAnswer> {
  const { hooks, environment, acceptsGzip } = request;
  const table = hooks.decryptPolicyTable ? await decrypt(hooks.decryptPolicyTable, sent, environment) : sent;
  const asked = readPolicyTable(table);
  const parts = buildAnswer(policy, asked, requestId);
  if (!hooks.encryptPolicyTable) return send(join(parts, acceptsGzip), request, requestId, asked, repair);
  const answer = JSON.parse(Buffer.concat(joinPlain(parts).buffers).toString()) as { meta: unknown; data: unknown };
  const data = await hooks.encryptPolicyTable(answer.data, environment);
  const plain = Buffer.from(JSON.stringify({ meta: answer.meta, data }));
  // None of it was compressed before. That takes milliseconds, and other vehicles don't have to wait for it.
  const bytes = acceptsGzip ? await compress(plain, { level: 1 }) : plain;
  return send({ buffers: [bytes], length: bytes.length }, request, requestId, asked, repair);
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

function send(
  { buffers, length }: AnswerBytes,
  { acceptsGzip: isGzip }: VehicleRequest,
  requestId: string,
  { apps }: PolicyRequest,
  repair: Repair | null,
): VehicleAnswer {
  return { status: 200, requestId, isGzip, retryAfter: null, apps: apps.length, repair, cause: null, buffers, length };
}

function explain(error: unknown, requestId: string): VehicleAnswer {
  if (isAppError(error)) return refuse(requestId, error.status, error.message, null, error.cause ?? null);
  return isPolicyRequestError(error)
    ? refuse(requestId, 400, error.message, null, error.cause ?? null)
    : refuse(requestId, 500, "Internal server error", null, error);
}
