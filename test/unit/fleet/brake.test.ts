import { expect, it, vi } from "vitest";
import { brakeOf, describeBrake, sinceCounts, type SideFigures } from "@/lib/fleet/rollout/brake";
import { loadSideCounts } from "@/lib/fleet/rollout/side-counts";
import { loadBuckets } from "@/lib/fleet/stored-counts";

vi.mock("@/lib/fleet/stored-counts", { spy: true });

const figures = (requests: number, more: Partial<SideFigures> = {}): SideFigures => {
  return { requests, rejected: 0, repeats: 0, removed: 0, ...more };
};

it.each<[string, SideFigures, SideFigures, string | null]>([
  ["nothing", figures(1_000), figures(9_000), null],
  ["as much inside as outside", figures(1_000, { rejected: 500 }), figures(9_000, { rejected: 4_500 }), null],
  ["exactly threefold", figures(100, { rejected: 300 }), figures(100, { rejected: 100 }), null],
  ["more than threefold", figures(100, { rejected: 301 }), figures(100, { rejected: 100 }), "rejected"],
  ["something that does not happen outside", figures(100, { repeats: 10 }), figures(9_000), "repeats"],
  ["the same, but seldom", figures(100, { repeats: 9 }), figures(9_000), null],
  ["removals", figures(30, { removed: 12 }), figures(30, { removed: 3 }), "removed"],
  ["too few requests inside", figures(29, { removed: 29 }), figures(9_000), null],
  ["too few requests outside", figures(9_000, { removed: 9_000 }), figures(29), null],
  ["no requests at all", figures(0), figures(0), null],
  ["two figures", figures(100, { rejected: 90, removed: 90 }), figures(100), "rejected"],
])("S13: the brake with %s", (_, inside, outside, figure) =>
  expect(brakeOf({ in: inside, out: outside })?.figure ?? null).toBe(figure),
);

it("S13: another threshold, and the sentence", () => {
  const counts = { in: figures(100, { rejected: 240 }), out: figures(100, { rejected: 100 }) };
  expect(brakeOf(counts)).toBeNull();
  const braked = brakeOf(counts, 2);
  expect(braked && describeBrake(braked)).toBe("rejected calls: 2.4 a request of the cars inside, 1 of those outside");
});

it("S13: what was counted before does not count; what is gone counts as nothing", () => {
  const now = { in: figures(50, { rejected: 5 }), out: figures(10) };
  const earlier = { in: figures(20, { rejected: 5 }), out: figures(30) };
  expect(sinceCounts(now, earlier)).toEqual({ in: figures(30), out: figures(0) });
});

it("S13: both sides are counted from the hour of the step's beginning", async () => {
  const asked: unknown[] = [];
  vi.mocked(loadBuckets).mockImplementation((unit, { cell, dimension }, from, to) => {
    asked.push([unit, from.toISOString(), to.getTime()]);
    const isIn = "value" in cell && cell.value === "in";
    const ofApp = (rejected: number) => ({ rejected, removed: isIn ? 2 : 0, full: 9 });
    const values: Readonly<Record<string, Record<string, Record<string, number>>>> = {
      sample: { all: { answered: isIn ? 10 : 90, read: 5 } },
      apps: { u1: ofApp(1), u2: ofApp(3) },
      repeats: { all: { count: isIn ? 7 : 1 } },
    };
    return Promise.resolve([{ at: from, values: new Map(Object.entries(values[dimension] ?? {})) }]);
  });
  const now = new Date("2026-03-01T12:34:56Z");
  expect(await loadSideCounts(new Date("2026-03-01T09:59:59Z"), now)).toEqual({
    in: { requests: 10, rejected: 4, removed: 4, repeats: 7 },
    out: { requests: 90, rejected: 4, removed: 0, repeats: 1 },
  });
  expect(new Set(asked.map(String))).toEqual(new Set([`hour,2026-03-01T09:00:00.000Z,${now.getTime() + 1}`]));
});
