import fc from "fast-check";
import { expect, it } from "vitest";
import { answerVehicle } from "@/lib/policy/answer-vehicle";
import { compiled, shortenedTable } from "@/test/support/answers";
import { workedExample } from "@/test/support/worked-example";

/** A table that is right but for one member, which may be anything. */
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
    { numRuns: 2_000 },
  );
});
