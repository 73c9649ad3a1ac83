import { AppError } from "@/lib/platform/errors";
import { parseJsonWithin, JsonTooDeep } from "@/lib/platform/http/read/json-depth";
import {
  readPolicyTable,
  requiredMembers,
  type PolicyRequest,
  PolicyRequestError,
} from "@/lib/policy/answer/policy-request";
import { isObject } from "@/lib/policy/head-unit/values";
import { matchApp } from "@/lib/policy/table/match-app";
import type { AppCatalogue } from "@/lib/policy/table/snapshot";
import type { SimulateBody } from "@/lib/policy/why/schema";
import { newestCore, oldestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";

export interface SimulatedRequest {
  readonly table: Readonly<Record<string, unknown>>;
  readonly asked: PolicyRequest;
  readonly version: CoreVersion;
}

/**
 * The given request with missing members added, or one for some apps (`releases.md` L15). A request without
 * `full_app_id_supported` counts as Core 4.5, which does not send it (rule R8).
 * @throws AppError 400 with the message that a vehicle would get
 */
export function buildRequest(body: SimulateBody, apps: AppCatalogue): SimulatedRequest {
  const { request, apps: uuids = [], head_unit: version } = body;
  const isLong = body.full_app_id_supported && version !== oldestCore;
  const filled = fill(request === undefined ? askFor(uuids, isLong, apps) : tableOf(request));
  const table = version === oldestCore ? withoutIdLength(filled) : filled;
  try {
    const asked = readPolicyTable(table);
    return { table, asked, version: version ?? (asked.isOlder ? oldestCore : newestCore) };
  } catch (cause) {
    throw cause instanceof PolicyRequestError ? new AppError("invalid", cause.message, { cause }) : cause;
  }
}

/**
 * People paste a table, a body with it, or the wrapper of another mode: `HTTPRequest` with the body as text, or `data`
 * as list.
 */
function tableOf(request: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Object.hasOwn(request, "policy_table")) return readWrapped(request["policy_table"], "policy_table");
  const { HTTPRequest: http, data } = request;
  if (http !== undefined) return tableOf(readWrapped(isObject(http) ? http["body"] : http, "HTTPRequest.body"));
  if (data !== undefined) return tableOf(readWrapped(Array.isArray(data) ? data[0] : data, "data"));
  const names = Object.keys(request);
  if (names.length === 0 || requiredMembers.some((name) => Object.hasOwn(request, name))) return request;
  const found = names.slice(0, 5).join(", ");
  throw new AppError(
    "invalid",
    `request holds no policy table: it has neither policy_table nor app_policies, but ${found}`,
  );
}

function readWrapped(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const read = typeof value === "string" && name !== "policy_table" ? parse(value, name) : value;
  if (!isObject(read)) throw new AppError("invalid", `request.${name} must be an object`);
  return read;
}

/** As for vehicles. */
const deepestNesting = 64;

function parse(text: string, name: string): unknown {
  try {
    return parseJsonWithin(Buffer.from(text), deepestNesting, text);
  } catch (cause) {
    const why = cause instanceof JsonTooDeep ? "is nested too deep" : "is a text, but not JSON: it may be encrypted";
    throw new AppError("invalid", `request.${name} ${why}`, { cause });
  }
}

function fill(table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const empty = Object.fromEntries(requiredMembers.map((name) => [name, {}]));
  // A missing section must not look like an older head unit, so the default contains the member.
  return { ...empty, module_config: { full_app_id_supported: false }, ...table };
}

function withoutIdLength(table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { module_config: config } = table;
  if (!isObject(config)) return table;
  const { full_app_id_supported: _, ...rest } = config;
  return { ...table, module_config: rest };
}

function askFor(uuids: readonly string[], isLong: boolean, apps: AppCatalogue): Readonly<Record<string, unknown>> {
  const ids = isLong ? uuids : uuids.map((uuid) => shortIdOf(uuid, apps));
  return {
    app_policies: Object.fromEntries(ids.map((id) => [id, {}])),
    module_config: { full_app_id_supported: isLong },
  };
}

/** The short id of the app's latest record, as vehicles use it. */
function shortIdOf(uuid: string, apps: AppCatalogue): string {
  const stored = matchApp(apps, uuid, true)?.shortIds ?? [];
  const newest = stored.toSorted((a, b) => b.newestRecordId - a.newestRecordId)[0];
  return newest?.shortId ?? deriveShortUuid(uuid);
}
