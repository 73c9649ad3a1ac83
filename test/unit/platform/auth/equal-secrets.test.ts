import { timingSafeEqual } from "node:crypto";
import { expect, it, vi } from "vitest";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";

it("0.6: a header is compared in constant time over digests of equal lengths, in both readings, whatever is sent", () => {
  const secret = "public-key-1";
  for (const sent of [null, "", "x", secret, "y".repeat(1000)]) {
    const equal = vi.fn(timingSafeEqual);
    expect(headerEquals(sent, secret, equal)).toBe(sent === secret);
    expect(equal.mock.calls.map(([one, other]) => [one.byteLength, other.byteLength])).toEqual([
      [32, 32],
      [32, 32],
    ]);
  }
});
