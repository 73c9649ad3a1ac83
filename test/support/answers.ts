import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import type { PolicyOptions, PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import { aCatalogue, aSnapshot, policyOptions } from "./builders";

export const requestId = "00000000-0000-4000-8000-000000000000";

export function compiled(snapshot: PolicySnapshot, environment: Environment, options: PolicyOptions = policyOptions()) {
  return compilePolicy(snapshot, environment, options, () => undefined);
}

export async function reportsOf(snapshot: PolicySnapshot, environment: Environment): Promise<string[]> {
  const reports: string[] = [];
  await compilePolicy(snapshot, environment, policyOptions(), ({ record, reason }) => {
    reports.push(`${record}: ${reason}`);
  });
  return reports;
}

export function shortenedTable(apps: Record<string, unknown>, fullAppIdSupported: unknown = false) {
  return {
    app_policies: apps,
    consumer_friendly_messages: {},
    device_data: {},
    functional_groupings: {},
    module_config: { full_app_id_supported: fullAppIdSupported },
    usage_and_error_counts: {},
  };
}

export function answerText(policy: CompiledPolicy, table: unknown): string {
  const parts = buildAnswer(policy, readPolicyTable(table), requestId);
  const plain = joinPlain(parts);
  const text = Buffer.concat(plain.buffers);
  expect(text.length).toBe(plain.length);
  const packed = joinGzip(parts);
  const gzip = Buffer.concat(packed.buffers);
  expect(gzip.length).toBe(packed.length);
  expect(gunzipSync(gzip).equals(text)).toBe(true);
  return text.toString();
}

/** Checked as a head unit does; `refusals`: paths of values for which one would refuse the table. */
export function answeredTable(policy: CompiledPolicy, table: unknown, refusals: readonly string[] = []) {
  const answered: any = JSON.parse(answerText(policy, table)).data[0].policy_table;
  const refused = checkPolicyTable(answered).filter(isUnfit);
  expect([...new Set(refused.map(({ path }) => path))].sort()).toEqual(refusals.toSorted());
  return answered;
}

interface Asked {
  readonly environment?: Environment;
  readonly apps?: Record<string, unknown>;
  readonly fullAppIdSupported?: unknown;
  readonly options?: PolicyOptions;
  readonly refusals?: readonly string[];
}

export async function builtTable(
  snapshot: PolicySnapshot,
  { environment = "production", apps = {}, fullAppIdSupported = false, options, refusals = [] }: Asked = {},
) {
  const policy = await compiled(snapshot, environment, options);
  return answeredTable(policy, shortenedTable(apps, fullAppIdSupported), refusals);
}

export async function entryOf(
  app: SnapshotApp,
  {
    snapshot = {},
    sent = {},
    ...asked
  }: Omit<Asked, "apps"> & { readonly snapshot?: Partial<PolicySnapshot>; readonly sent?: unknown } = {},
) {
  const id = app.shortIds[0]?.shortId ?? "";
  const table = await builtTable(aSnapshot({ ...snapshot, apps: aCatalogue([app]) }), {
    ...asked,
    apps: { [id]: sent },
  });
  return table.app_policies[id];
}
