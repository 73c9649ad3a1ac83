import fc from "fast-check";
import { expect, it } from "vitest";
import { BodyRing } from "@/lib/fleet/body-ring";
import { runs, seed } from "@/test/support/extent";

it("S3: keeps each body unchanged until it is dropped, in the memory it was given", () => {
  const step = fc.oneof(
    fc.integer({ min: 1, max: 60 }).map((length) => ({ length })),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ring = new BodyRing(100);
      const kept: { readonly copy: Buffer; readonly body: Buffer }[] = [];
      for (const [at, one] of steps.entries()) {
        if (one === null) {
          ring.drop();
          kept.shift();
        } else {
          const body = Buffer.alloc(one.length, at + 1);
          const copy = ring.add(body);
          if (copy === null) expect(kept.length).toBeGreaterThan(0);
          else kept.push({ copy, body });
        }
        expect(ring.count).toBe(kept.length);
        for (const { copy, body } of kept) expect(copy.equals(body)).toBe(true);
        expect(kept.reduce((sum, { copy: { length } }) => sum + length, 0)).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: runs(2000), seed },
  );
});
