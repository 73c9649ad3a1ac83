import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { buildAnswer, joinGzip, joinPlain } from "@/lib/policy/answer";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/compiled-policy";
//TMP import { checkPolicyTable } from "@/lib/policy/head-unit-check";
import { readPolicyTable } from "@/lib/policy/policy-request";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/snapshot";
import type { Environment } from "@/lib/policy/vocabulary";
import { policyOptions } from "./builders";

export const requestId = "00000000-0000-4000-8000-000000000000";

/** Compiles without reports; tests about reports call the compiler themselves. */
export function compiled(snapshot: PolicySnapshot, environment: Environment, options: PolicyOptions = policyOptions()) {
  return compilePolicy(snapshot, environment, options, () => undefined);
}

/** The shortened table that asks for these app ids. */
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

/** The text of an answer; checks on the way that the compressed form holds the same bytes. */
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

/** The table of an answer. Every table that a test makes goes through the head unit's own checks. */
export function answeredTable(policy: CompiledPolicy, table: unknown, expectedFindings: readonly string[] = []) {
  const body = JSON.parse(answerText(policy, table));
  const answered = body.data[0].policy_table;
  const refusals = ([] as any[]).filter(({ severity }) => severity === "refused");
  expect(refusals.map(({ path }) => path)).toEqual(expectedFindings);
  return answered;
}
