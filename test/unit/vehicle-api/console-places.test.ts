import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConsolePlaces } from "@/lib/vehicle-api/console-places";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

const stranger = (queue = "192.0.2.0/24 ") => ({ isKnown: false, queue });
const known = { isKnown: true, queue: "192.0.2.0/24 mark" };

async function fullPlaces() {
  const places = new ConsolePlaces({ maxAtOnce: 1, maxWaiting: 0 });
  const release = await places.take(stranger(), never);
  const outcomes: boolean[] = [];
  const ask = (gone = never) => places.take(stranger(), gone).then((place) => outcomes.push(place !== null));
  return { release, outcomes, ask };
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
    const { release, outcomes, ask } = await fullPlaces();
    const gone = new AbortController();
    const held = Array.from({ length: 1_024 }, () => ask(gone.signal));
    await ask();
    expect(outcomes).toEqual([false]);
    gone.abort();
    await Promise.all(held);
    expect(outcomes).toHaveLength(1_025);
    release?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("N3: a place that was given back meanwhile goes to who asks next", async () => {
    const { release, outcomes, ask } = await fullPlaces();
    const late = ask();
    release?.();
    await ask();
    expect(outcomes).toEqual([true]);
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
    expect(outcomes).toEqual([true, false]);
  });
});

function askFor(places: ConsolePlaces) {
  const given: string[] = [];
  const refused: string[] = [];
  const taken: (() => void)[] = [];
  const ask = async (name: string, caller: Parameters<ConsolePlaces["take"]>[0]) => {
    const place = await places.take(caller, never);
    (place === null ? refused : given).push(name);
    if (place !== null) taken.push(place);
  };
  const give = async () => {
    taken.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { given, refused, ask, give };
}

describe("N3a: strangers never stand before known callers", () => {
  it("N3a: a quarter of the slots is for known callers, who are served before all strangers and slow them down", async () => {
    const { given, ask, give } = askFor(new ConsolePlaces({ maxAtOnce: 4 }));
    for (let at = 0; at < 5; at++) void ask(`stranger ${at}`, stranger());
    for (let at = 0; at < 3; at++) void ask(`known ${at}`, known);
    await vi.advanceTimersByTimeAsync(0);
    expect(given).toEqual(["stranger 0", "stranger 1", "stranger 2", "known 0"]);
    for (let at = 0; at < 4; at++) await give();
    expect(given.slice(4)).toEqual(["known 1", "known 2", "stranger 3"]);
  });

  it("N3a: strangers enter one by one with rests, and have an eighth, for a minute after each known caller", async () => {
    const { given, ask, give } = askFor(new ConsolePlaces({ maxAtOnce: 16, timeoutMs: 100_000 }));
    void ask("known", known);
    await vi.advanceTimersByTimeAsync(0);
    await give();
    for (let at = 0; at < 24; at++) void ask(`stranger ${at}`, stranger());
    await vi.advanceTimersByTimeAsync(999);
    expect(given).toEqual(["known", "stranger 0"]);
    await give();
    await vi.advanceTimersByTimeAsync(998);
    expect(given.at(-1)).toBe("stranger 0");
    await vi.advanceTimersByTimeAsync(1);
    expect(given.at(-1)).toBe("stranger 1");
    await vi.advanceTimersByTimeAsync(999);
    expect(given.at(-1)).toBe("stranger 1");
    await vi.advanceTimersByTimeAsync(1);
    expect(given.at(-1)).toBe("stranger 2");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(given.at(-1)).toBe("stranger 2");
    await vi.advanceTimersByTimeAsync(60_000);
    await give();
    expect(given.slice(1)).toEqual(Array.from({ length: 14 }, (_, at) => `stranger ${at}`));
  });

  it("N3a: queues of strangers take turns, however long one of them is", async () => {
    const { given, ask, give } = askFor(new ConsolePlaces({ maxAtOnce: 1 }));
    for (let at = 0; at < 4; at++) void ask(`a${at}`, stranger());
    void ask("b", stranger("198.51.100.0/24 "));
    void ask("c", stranger("192.0.2.0/24 mark"));
    await vi.advanceTimersByTimeAsync(0);
    for (let at = 0; at < 5; at++) await give();
    expect(given).toEqual(["a0", "a1", "b", "c", "a2", "a3"]);
  });

  it("N3a: where too many wait, the newest of the longest queue gives way, and known callers have room of their own", async () => {
    const { given, refused, ask, give } = askFor(new ConsolePlaces({ maxAtOnce: 1, maxWaiting: 3 }));
    for (let at = 0; at < 4; at++) void ask(`a${at}`, stranger());
    void ask("b", stranger("198.51.100.0/24 "));
    void ask("a4", stranger());
    void ask("known", known);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refused.toSorted()).toEqual(["a3", "a4"]);
    for (let at = 0; at < 4; at++) await give();
    expect(given).toEqual(["a0", "known", "a1", "b", "a2"]);
  });
});
