import { describe, expect, it } from "vitest";
import { environments } from "@/lib/labels/vocabulary";
import { answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import { expectedSections, uuids, workedExample, workedRequest } from "@/test/support/worked-example";

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

  it("gives only defaults for short keys when long ids are supported (A2)", async () => {
    const apps = workedRequest.policy_table.app_policies;
    const { app_policies } = JSON.parse(
      answerText(await compiled(workedExample, environment), shortenedTable(apps, true)),
    ).data[0].policy_table;
    for (const id of Object.keys(apps)) expect(app_policies[id]).toBe("default");
  });

  it("gives the same objects under the full uuids when long ids are supported (A2)", async () => {
    const apps = { [uuids.roadtune]: {}, [uuids.climaPal]: { auth_token: "t-9" }, [uuids.blacklisted]: {} };
    const { app_policies } = JSON.parse(
      answerText(await compiled(workedExample, environment), shortenedTable(apps, true)),
    ).data[0].policy_table;
    const expected = expectedSections[environment].app_policies;
    expect(app_policies[uuids.roadtune]).toEqual(expected["11111111aa"]);
    expect(app_policies[uuids.climaPal]).toEqual(expected["22222222aa"]);
    expect(app_policies[uuids.blacklisted]).toBeNull();
  });
});
