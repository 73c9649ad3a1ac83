import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConsolePlaces } from "@/lib/vehicle-api/console-places";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

/** Places with one taken and nobody allowed to wait, and what has become of those who asked for more. */
async function fullPlaces() {
  const places = new ConsolePlaces({ maxAtOnce: 1, maxWaiting: 0 });
  expect(await places.take(never)).toBe(true);
  const outcomes: boolean[] = [];
  const ask = (gone = never) => places.take(gone).then((isGiven) => outcomes.push(isGiven));
  return { places, outcomes, ask };
}

describe("N3: too many at the console", () => {
  it("N3: a refusal is held back for a second, so that who asks again at once does not keep the vehicle worker busy", async () => {
    const { outcomes, ask } = await fullPlaces();
    const asked = ask();
    await vi.advanceTimersByTimeAsync(999);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(outcomes).toEqual([false]);
  });

  it("N3: nobody is held back who has gone, and no more than 1,024 are", async () => {
    const { outcomes, ask } = await fullPlaces();
    const gone = new AbortController();
    const held = Array.from({ length: 1_024 }, () => ask(gone.signal));
    await ask();
    expect(outcomes).toEqual([false]);
    gone.abort();
    await Promise.all(held);
    expect(outcomes).toHaveLength(1_025);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("N3: a place that was given back meanwhile goes to who asks next", async () => {
    const { places, outcomes, ask } = await fullPlaces();
    const late = ask();
    places.release();
    await ask();
    expect(outcomes).toEqual([true]);
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
    expect(outcomes).toEqual([true, false]);
  });
});
