import fc from "fast-check";
import { expect, it } from "vitest";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { compiled, shortenedTable } from "@/test/support/answers";
import { runs } from "@/test/support/extent";
import { workedExample } from "@/test/support/worked-example";

const nearlyRight = fc
  .record({ member: fc.constantFrom(...Object.keys(shortenedTable({}))), value: fc.jsonValue() })
  .map(({ member, value }) => ({ policy_table: { ...shortenedTable({ a: {} }), [member]: value } }));

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.jsonValue({ maxDepth: 6 }).map((value) => Buffer.from(JSON.stringify(value))),
  nearlyRight.map((value) => Buffer.from(JSON.stringify(value))),
);

it("R1: no body whatever gives a 500 or ends the process", async () => {
  const policy = await compiled(workedExample, "staging");
  await fc.assert(
    fc.asyncProperty(bodies, fc.boolean(), async (body, acceptsGzip) => {
      const answer = await answerVehicle({ environment: "staging", body, acceptsGzip, policy, hooks: {} });
      expect([200, 400]).toContain(answer.status);
      expect(answer.buffers.reduce((sum, one) => sum + one.length, 0)).toBe(answer.length);
    }),
    { numRuns: runs(2_000) },
  );
});

it("R1: a form is read as nested keys in brackets (api.md 0.2), JSON sent under the name of a form as JSON", async () => {
  const policy = await compiled(workedExample, "staging");
  const contentType = "application/x-www-form-urlencoded";
  const send = async (text: string) => {
    const body = Buffer.from(text);
    return answerVehicle({ environment: "staging", body, contentType, acceptsGzip: false, policy, hooks: {} });
  };
  const table = { ...shortenedTable({ "11111111aa": { x: "1" } }), device_data: { x: "1" } };
  const members = ["consumer_friendly_messages", "device_data", "functional_groupings", "usage_and_error_counts"];
  const form = [
    "policy_table[app_policies][11111111aa][x]=1",
    "policy_table[module_config][x]=1",
    ...members.map((name) => `policy_table[${name}][x]=1`),
  ].join("&");
  for (const text of [form, JSON.stringify({ policy_table: table })]) {
    const answer = await send(text);
    expect(answer.status).toBe(200);
    const [{ policy_table }] = JSON.parse(Buffer.concat(answer.buffers).toString()).data;
    expect(policy_table.app_policies["11111111aa"].nicknames).toEqual(["Roadtune"]);
  }
  expect((await send("policy_table=1")).status).toBe(400);
  expect((await send(`a${"[b]".repeat(50)}=1`)).status).toBe(400);
});
