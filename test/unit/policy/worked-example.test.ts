import { describe, expect, it } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { answeredTable, answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import { expectedSections, workedExample, workedRequest } from "@/test/support/worked-example";

describe.each(environments)("the worked example in %s (policy-table 10)", (environment) => {
  it("answers the sections word for word and byte for byte", async () => {
    const text = answerText(await compiled(workedExample, environment), workedRequest.policy_table);
    const expected = expectedSections[environment];
    expect(JSON.parse(text).data[0].policy_table).toMatchObject(expected);
    for (const [name, section] of Object.entries(expected)) {
      expect(text).toContain(`"${name}":${JSON.stringify(section)}`);
    }
    expect(
      text.startsWith(`{"meta":{"request_id":"${requestId}","code":200,"message":null},"data":[{"policy_table":{`),
    ).toBe(true);
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
