import fc from "fast-check";
import { expect, it } from "vitest";
import { readPolicyTable, requiredMembers } from "@/lib/policy/answer/policy-request";
import { policyRequestBody } from "@/lib/policy/answer/schema";
import { runs } from "@/test/support/extent";
import { sampleRequest } from "@/test/support/vehicle";

const isRead = (body: { policy_table?: unknown }): boolean => {
  try {
    readPolicyTable(body.policy_table);
    return true;
  } catch {
    return false;
  }
};

it("R1: the described body and the fast check of vehicles agree", () => {
  const anything = fc.oneof({ arbitrary: fc.constant({}), weight: 20 }, fc.jsonValue({ maxDepth: 2 }));
  const table = fc.record(Object.fromEntries(requiredMembers.map((name) => [name, anything])), {
    requiredKeys: requiredMembers.slice(1),
  });
  const body = fc.record({ policy_table: fc.oneof(table, fc.jsonValue()) }, { requiredKeys: [] });
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(body, (one) => {
      // What the description says of full_app_id_supported is meant for people: any value is taken.
      fc.pre((one.policy_table as any)?.module_config?.full_app_id_supported === undefined);
      expect(policyRequestBody.safeParse(one).success).toBe(isRead(one));
      seen.add(isRead(one));
    }),
    { numRuns: runs(500) },
  );
  expect(seen).toEqual(new Set([true, false]));
});

it.each(["1-app", "10-apps", "50-apps"] as const)("R1: the described body fits the sample request %s", (name) => {
  expect(policyRequestBody.safeParse(JSON.parse(sampleRequest(name))).error).toBeUndefined();
});
