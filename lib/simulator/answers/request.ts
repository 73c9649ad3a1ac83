import { AppError } from "@/lib/platform/errors";
import {
  isPolicyRequestError,
  readPolicyTable,
  requiredMembers,
  type PolicyRequest,
} from "@/lib/policy/answer/policy-request";
import { isObject } from "@/lib/policy/head-unit/values";
import { matchApp } from "@/lib/policy/table/match-app";
import type { AppCatalogue } from "@/lib/policy/table/snapshot";
import type { SimulateBody } from "@/lib/simulator/schema";
import { newestCore, oldestCore, type CoreVersion } from "@/lib/labels/head-units";
import { deriveShortUuid } from "@/lib/labels/short-uuid";

/** A simulated request: as a vehicle would send it, as it is read, and the version of Core that sends it. */
export interface SimulatedRequest {
  readonly table: Readonly<Record<string, unknown>>;
  readonly asked: PolicyRequest;
  readonly version: CoreVersion;
}

/**
 * Makes the request that is to be answered (`releases.md` L15): the one that was given, what it lacks filled with empty
 * members, or one for some apps. Core 4.5 does not send `full_app_id_supported`, and whoever does not send it is taken for
 * Core 4.5 (rule R8).
 *
 * @throws AppError 400 with the sentence that a vehicle would be answered
 */
export function buildRequest(body: SimulateBody, apps: AppCatalogue): SimulatedRequest {
  const { request, question, head_unit: version } = body;
  const isLong = body.full_app_id_supported && version !== oldestCore;
  const uuids = body.apps ?? (question ? [uuidOf(question.app, apps)] : []);
  const filled = fill(request === undefined ? askFor(uuids, isLong, apps) : tableOf(request));
  const table = version === oldestCore ? withoutIdLength(filled) : filled;
  try {
    const asked = readPolicyTable(table);
    return { table, asked, version: version ?? (asked.isOlder ? oldestCore : newestCore) };
  } catch (cause) {
    throw isPolicyRequestError(cause) ? new AppError("invalid", cause.message, { cause }) : cause;
  }
}

/** People paste what a head unit has written, whole or in part. */
function tableOf(request: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(request, "policy_table")) return request;
  const { policy_table: table } = request;
  if (!isObject(table)) throw new AppError("invalid", "request.policy_table must be an object");
  return table;
}

function fill(table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const empty = Object.fromEntries(requiredMembers.map((name) => [name, {}]));
  // Only a section that was given tells that its head unit is an older one (rule R8).
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

/** People name an app by either id. */
function uuidOf(id: string, apps: AppCatalogue): string {
  const app = matchApp(apps, id, true) ?? matchApp(apps, id, false);
  return app?.uuid ?? id;
}

/** The short id under which vehicles know an app: that of its newest record. */
function shortIdOf(uuid: string, apps: AppCatalogue): string {
  const stored = matchApp(apps, uuid, true)?.shortIds ?? [];
  const newest = stored.toSorted((a, b) => b.newestRecordId - a.newestRecordId)[0];
  return newest?.shortId ?? deriveShortUuid(uuid);
}
