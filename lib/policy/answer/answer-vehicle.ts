import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import { AppError } from "@/lib/platform/errors";
import { parseForm } from "@/lib/platform/http/read/read-body";
import { type AnswerBytes, type AnswerParts, buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { parseJsonWithin, JsonTooDeep } from "@/lib/platform/http/read/json-depth";
import { placeOf } from "@/lib/policy/rollout/place";
import { type Sent, VehicleFacts } from "@/lib/policy/rollout/sent";
import { factsOf, type HoldsRelease, type ServedRollout, sideAt } from "@/lib/policy/rollout/side";
import { rolloutFilters, type RolloutSide } from "@/lib/vocabulary/rollouts";
import { type PolicyRequest, readPolicyTable, PolicyRequestError } from "@/lib/policy/answer/policy-request";
import { readVersions, readRequestBytes } from "@/lib/policy/answer/request-bytes";
import { scanRequestBytes } from "@/lib/policy/answer/request-scan";
import type { Environment } from "@/lib/vocabulary/terms";

export interface VehicleRequest {
  readonly environment: Environment;
  readonly body: Buffer;
  /** The media type as sent; matters only for forms (`api.md` 0.2). */
  readonly contentType?: string | undefined;
  readonly acceptsGzip: boolean;
  readonly policy: CompiledPolicy | null;
  readonly hooks: CryptoHooks;
  /** In production while a rollout is alive (`fleet.md` S12). */
  readonly rollout?: ServedRollout | null;
  readonly holdsRelease?: HoldsRelease | undefined;
  readonly noteSide?: ((request: SidedRequest) => void) | undefined;
}

/** A readable request of a rollout. Not to be kept beyond the call. */
export interface SidedRequest {
  readonly side: RolloutSide;
  /** Where the salt puts the vehicle, from 0 up to 1; null if it cannot be told from others. */
  readonly place: number | null;
  /** Its functional groups; null if they were not sent as JSON. */
  readonly groups: Sent | null;
}

export interface VehicleAnswer extends AnswerBytes {
  readonly status: number;
  readonly requestId: string;
  readonly isGzip: boolean;
  readonly retryAfter: number | null;
  /** Number of requested apps; null if the request could not be read that far. */
  readonly apps: number | null;
  /** How an invalid body was read (rule Q4); null if it was valid. */
  readonly repair: Repair | null;
  /** Of the rollout; null without one, and for a request that says nothing of its vehicle. */
  readonly side: RolloutSide | null;
  readonly cause: unknown;
}

/** `utf8`: invalid UTF-8 was replaced; `scan`: the body wasn't JSON and was scanned for app ids. */
export const repairs = ["utf8", "scan"] as const;
export type Repair = (typeof repairs)[number];

export interface VehicleEvent {
  readonly environment: Environment;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  /** Milliseconds from the request's first line (in a worker) to the last byte sent; in Next, to the answer. */
  readonly milliseconds: number;
  readonly bytes: number;
  readonly repair: Repair | null;
  readonly cause: unknown;
}

/** Head units never nest deeper, and custom hooks need not survive more. */
const deepestNesting = 64;

const openingBrace = 0x7b;

/**
 * Answers a shortened table (rules R1 to R7, `api.md` 9.1); never throws or rejects. Synchronous unless a hook is
 * configured, because awaiting a promise would cost every vehicle a turn of the event loop.
 */
export function answerVehicle(request: VehicleRequest): VehicleAnswer | Promise<VehicleAnswer> {
  const requestId = randomUUID();
  try {
    if (!request.policy) return refuse(requestId, 503, "Service unavailable", 5);
    const { hooks } = request;
    const read = readBody(request);
    const side = request.rollout && read.facts ? findSide(request.policy, request.rollout, read.facts, request) : null;
    // Vehicles that nothing is known of get what they had.
    const policy = request.rollout && side !== "in" ? request.rollout.before : request.policy;
    if (hooks.decryptPolicyTable ?? hooks.encryptPolicyTable) {
      return answerThroughHooks(read, policy, request, requestId).catch((error: unknown) => explain(error, requestId));
    }
    const asked = readPolicyTable(requireTable(read.table, request.body));
    const parts = buildAnswer(policy, asked, requestId);
    return send(join(parts, request.acceptsGzip), request, requestId, asked, read.repair, side);
  } catch (error) {
    return explain(error, requestId);
  }
}

/** A VIN stays what it is, and places its vehicle by itself. Comparing what a vehicle has takes longer. */
const isUnsure = (facts: VehicleFacts, served: ServedRollout | null | undefined) =>
  facts.vin === null || served?.rollout.isPaused === true;

function findSide(
  release: CompiledPolicy,
  served: ServedRollout,
  facts: VehicleFacts,
  { holdsRelease, noteSide }: VehicleRequest,
): RolloutSide {
  const { rollout, before, placeKey } = served;
  const id = facts.vin ?? facts.device;
  const place = id === null ? null : placeOf(placeKey, id);
  const holds = isUnsure(facts, served) ? (holdsRelease?.(release, before, facts) ?? null) : null;
  const side = sideAt(rollout, facts, place, holds);
  noteSide?.({ side, place, groups: facts.groups });
  return side;
}

/** An error response of the policy routes: the envelope and a top-level `error` for existing clients. */
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
    ...{ status, requestId, isGzip: false, retryAfter, apps: null, repair: null, side: null, cause },
    ...{ buffers: [body], length: body.length },
  };
}

interface ReadBody {
  /** The parts of `policy_table` that `readPolicyTable` reads, or all of it for a hook; undefined if not sent. */
  readonly table: unknown;
  /** For a rollout; null also if the table is encrypted, or the body was only scanned. */
  readonly facts: VehicleFacts | null;
  readonly repair: Repair | null;
}

/** Reads a body with any bytes (rules Q1, Q2), because phones garble names and will do so again on every retry. */
function readBody({ body, contentType, hooks, rollout }: VehicleRequest): ReadBody {
  if (body.length === 0) return { table: undefined, facts: null, repair: null };
  const repair = isUtf8(body) ? null : "utf8";
  const isEncrypted = hooks.decryptPolicyTable !== undefined;
  const isSided = rollout && !isEncrypted;
  if (isForm(body, contentType)) {
    const table = tableOf(parseForm(body.toString()));
    return { table, facts: isSided ? factsOf(table) : null, repair };
  }
  try {
    if (isEncrypted) return { table: tableOf(parseJsonWithin(body, deepestNesting)), facts: null, repair };
    const facts = isSided ? new VehicleFacts() : null;
    const isRestricted = isSided ? rolloutFilters.some((name) => rollout.rollout[name].length > 0) : false;
    const table = tableOf(readRequestBytes(body, deepestNesting, facts, isRestricted));
    if (facts !== null && isUnsure(facts, rollout)) readVersions(body, facts);
    return { table, facts, repair };
  } catch (error) {
    if (error instanceof JsonTooDeep)
      throw new PolicyRequestError(`Body is nested deeper than ${deepestNesting} levels`);
    if (!(error instanceof SyntaxError)) throw error;
    const table = isEncrypted ? null : scanRequestBytes(body, deepestNesting);
    if (table === null) throw new PolicyRequestError("Malformed JSON body");
    return { table, facts: null, repair: "scan" };
  }
}

function tableOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PolicyRequestError("Body must be a JSON object");
  }
  return Object.hasOwn(value, "policy_table") ? Reflect.get(value, "policy_table") : undefined;
}

/** The wrappers in which head units hand their table to an app, which takes it out before it asks (`api.md` 9.1). */
const wrapper = /^\s*\{\s*"(HTTPRequest|data)"\s*:/;

/** @throws PolicyRequestError that says what a body without a table is, as far as its first bytes tell */
function requireTable(table: unknown, body: Buffer): unknown {
  const [, name] = table === undefined ? (wrapper.exec(body.toString("latin1", 0, 64)) ?? []) : [];
  if (name === undefined) return table;
  const inside = name === "data" ? "only its first element" : "only the text in its member body";
  throw new PolicyRequestError(`policy_table is missing: the body is the wrapper ${name}; send ${inside}`);
}

/** Tools without a type of their own say "form" and send JSON. No form starts with a brace. */
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
  // Nothing was compressed beforehand, and this takes milliseconds, so other vehicles should not have to wait for it.
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
  side: RolloutSide | null = null,
): VehicleAnswer {
  const counted = { apps: apps.length, repair, side };
  return { status: 200, requestId, isGzip, retryAfter: null, ...counted, cause: null, buffers, length };
}

function explain(error: unknown, requestId: string): VehicleAnswer {
  if (error instanceof AppError) return refuse(requestId, error.status, error.message, null, error.cause ?? null);
  return error instanceof PolicyRequestError
    ? refuse(requestId, 400, error.message, null, error.cause ?? null)
    : refuse(requestId, 500, "Internal server error", null, error);
}
