import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { answeredTable, answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import { policyOptions } from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";
import { referenceTable } from "@/test/support/reference-table";
import { expectedSections, workedExample, workedRequest } from "@/test/support/worked-example";

describe.each(environments)("a table in %s", (environment) => {
  it("is built by the reference and answered as the worked example says, word for word and byte for byte (policy-table 10)", async () => {
    const ids = Object.entries(workedRequest.policy_table.app_policies);
    const request = { ids, fullAppIdSupported: false };
    for (const text of [
      referenceTable(workedExample, environment, policyOptions(), request),
      answerText(await compiled(workedExample, environment), workedRequest.policy_table),
    ]) {
      for (const [name, section] of Object.entries(expectedSections[environment])) {
        expect(text).toContain(`"${name}":${JSON.stringify(section)}`);
      }
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

it.each(environments)("T9: __proto__ has no effect on other entries in %s", async (environment) => {
  const policy = await compiled(workedExample, environment);
  for (const sent of ["{}", "null", '{"enabled":true,"auth_token":"t"}', '{"11111111aa":{"auth_token":"t"}}']) {
    const apps = JSON.parse(`{"__proto__":${sent},"11111111aa":{},"constructor":{}}`);
    const { app_policies } = answeredTable(policy, shortenedTable(apps));
    const others = Object.entries(app_policies).filter(([id]) => id !== "__proto__" && id !== "constructor");
    expect(Object.fromEntries(others)).toEqual(
      answeredTable(policy, shortenedTable({ "11111111aa": {} })).app_policies,
    );
    expect(Object.getOwnPropertyDescriptor(app_policies, "__proto__")?.value ?? "default").toBe("default");
    expect(app_policies.constructor).toBe("default");
  }
});
