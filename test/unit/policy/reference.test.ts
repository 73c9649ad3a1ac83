import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { answerText, compiled, requestId } from "@/test/support/answers";
import { policyOptions } from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";
import { referenceTable } from "@/test/support/reference-table";
import { expectedSections, workedExample, workedRequest } from "@/test/support/worked-example";

describe.each(environments)("a table in %s", (environment) => {
  it("is built by the reference as the worked example says (policy-table 10)", () => {
    const ids = Object.entries(workedRequest.policy_table.app_policies);
    const text = referenceTable(workedExample, environment, policyOptions(), { ids, fullAppIdSupported: false });
    for (const [name, section] of Object.entries(expectedSections[environment])) {
      expect(text).toContain(`"${name}":${JSON.stringify(section)}`);
    }
  });

  it("is compiled byte for byte as the rules G, M, V, F, C and A say", async () => {
    const options = policyOptions({ certificates: { staging: "staged\npem", production: null } });
    await fc.assert(
      fc.asyncProperty(
        randomSnapshot,
        fc.array(randomRequest, { minLength: 1, maxLength: 4 }),
        async (snapshot, requests) => {
          const policy = await compiled(snapshot, environment, options);
          for (const request of requests) {
            const table = referenceTable(snapshot, environment, options, request);
            const meta = `{"request_id":"${requestId}","code":200,"message":null}`;
            expect(answerText(policy, request.table)).toBe(`{"meta":${meta},"data":[{"policy_table":${table}}]}`);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
