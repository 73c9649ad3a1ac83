import { describe, expect, it } from "vitest";
import { findSuperseded, retentionTime, type RetainedVersion } from "@/lib/apps/retention/commands";

const day = 86_400_000;
const now = new Date("2026-06-01T00:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * day);
const version = (id: number, more: Partial<RetainedVersion> = {}): RetainedVersion => ({
  ...{ id, shortKey: "s", approvalStatus: "PENDING", storedAt: daysAgo(200) },
  ...more,
});
const versions = (count: number, more: Partial<RetainedVersion> = {}) =>
  Array.from({ length: count }, (_, index) => version(index + 1, more));

describe("finding G7: superseded versions", () => {
  it("are those beyond the last ten that are older than 90 days", () => {
    expect(findSuperseded(versions(10), now)).toEqual([]);
    expect(findSuperseded(versions(13).toReversed(), now)).toEqual([3, 2, 1]);
    expect(findSuperseded(versions(13, { storedAt: daysAgo(89) }), now)).toEqual([]);
    expect(findSuperseded([version(1, { storedAt: daysAgo(80) }), version(2), ...versions(13).slice(2)], now)).toEqual([
      3, 2,
    ]);
  });

  it("are never what vehicles get, or would get when a decision is taken back", () => {
    const some = versions(20).map((one) => {
      const approvalStatus = one.id <= 3 ? "ACCEPTED" : one.id <= 6 ? "STAGING" : one.approvalStatus;
      return { ...one, approvalStatus } as const;
    });
    expect(findSuperseded(some, now)).toEqual([10, 9, 8, 7, 4, 1]);
  });

  it("are never the newest under their short id", () => {
    const some = versions(13).map((one) => (one.id <= 2 ? { ...one, shortKey: "old" } : one));
    expect(findSuperseded(some, now)).toEqual([3, 1]);
  });
});

it("finding G2: a clock that was set ahead deletes at most two days more at a run", () => {
  expect(retentionTime(null, now)).toEqual(now);
  expect(retentionTime(daysAgo(1), now)).toEqual(now);
  expect(retentionTime(daysAgo(365), now)).toEqual(daysAgo(363));
  expect(retentionTime(new Date(now.getTime() + day), now)).toEqual(now);
});
