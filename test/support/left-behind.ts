/**
 * Knows what this process will still do by itself: timers and animation frames that wait, and requests that are under way.
 * What a test leaves of them meets the next test, or a document that is gone.
 *
 * The functions are replaced as soon as this is imported, which a set-up does first: React keeps a reference of its own to
 * some. Fake timers take the place of the replaced functions for as long as a test wants, and give them back.
 */
import { processGlobal } from "@/lib/platform/process-globals";

/** Something that was started and has not ended. */
export interface Pending {
  /** What it is, as the failure of a test says it. */
  readonly what: string;
  /** Whether it comes to its end at the next opportunity, so that waiting for it is all there is to do. */
  readonly isDue: boolean;
  /** Where it was started. */
  readonly started: Error;
  readonly end: () => void;
  /** Does at once what it waits to do. */
  readonly run: () => void;
}

/** Once in a process, however often it loads this: what is replaced is not replaced again. */
const state = processGlobal("test.pending", () => ({
  all: new Map<unknown, Pending>(),
  startTimer: globalThis.setTimeout,
  isWatching: false,
}));
const { all, startTimer } = state;

/** How long a timer may run and still count as due: a frame of a screen. */
const dueMs = 20;
/** How often what is due may start more of its kind; what does so more often goes on for ever. */
const maxRounds = 50;

interface Kind {
  readonly start: string;
  readonly clear: string;
  readonly isDue: (ms: number) => boolean;
  readonly repeats?: boolean;
}
const kinds: readonly Kind[] = [
  { start: "setTimeout", clear: "clearTimeout", isDue: (ms) => ms <= dueMs },
  { start: "setInterval", clear: "clearInterval", isDue: () => false, repeats: true },
  { start: "setImmediate", clear: "clearImmediate", isDue: () => true },
  { start: "requestAnimationFrame", clear: "cancelAnimationFrame", isDue: () => true },
];

/** Timers may be cleared by their number, and one kind by the function of another. */
function keyOf(handle: unknown, { start }: Kind): unknown {
  if (start === "requestAnimationFrame") return `frame ${String(handle)}`;
  return typeof handle === "object" && handle !== null && Symbol.toPrimitive in handle ? Number(handle) : handle;
}

function watch(kind: Kind): void {
  const start: unknown = Reflect.get(globalThis, kind.start);
  const clear: unknown = Reflect.get(globalThis, kind.clear);
  if (typeof start !== "function" || typeof clear !== "function") return;
  const watchedClear = new Proxy(clear, {
    apply(target, self, given: unknown[]): unknown {
      all.delete(keyOf(given[0], kind));
      return Reflect.apply(target, self, given);
    },
  });
  // A proxy, since `setTimeout` has more to it than the call.
  const watchedStart = new Proxy(start, {
    apply(target, self, [callback, ms, ...rest]: unknown[]): unknown {
      if (typeof callback !== "function") return Reflect.apply(target, self, [callback, ms, ...rest]);
      const handle: unknown = Reflect.apply(target, self, [
        function (this: unknown, ...given: unknown[]): unknown {
          if (!kind.repeats) all.delete(key);
          return Reflect.apply(callback, this, given);
        },
        ...[ms, ...rest],
      ]);
      const key = keyOf(handle, kind);
      const delay = typeof ms === "number" ? ms : 0;
      const what = kind.isDue(Infinity) ? kind.start : `${kind.start} of ${delay} ms`;
      const end = () => void Reflect.apply(watchedClear, undefined, [handle]);
      const run = () => {
        end();
        Reflect.apply(callback, undefined, rest);
      };
      all.set(key, { what, isDue: kind.isDue(delay), started: new Error(what), end, run });
      return handle;
    },
  });
  Reflect.set(globalThis, kind.start, watchedStart);
  Reflect.set(globalThis, kind.clear, watchedClear);
}
if (!state.isWatching) kinds.forEach(watch);
state.isWatching = true;

/** What has been started and has not ended. */
export const pending = (): readonly Pending[] => [...all.values()];

/** `fetch`, or what a test puts in its place, with a note of each request until it is answered. */
export function watchedFetch<T extends object>(fetch: T): T {
  return new Proxy(fetch, {
    apply(target, self, given: unknown[]): unknown {
      const answer: unknown = Reflect.apply(target as CallableFunction, self, given);
      const [path] = given;
      const what = `a request of ${typeof path === "string" ? path : "something"}`;
      const key = {};
      const end = () => void all.delete(key);
      all.set(key, { what, isDue: false, started: new Error(what), end, run: end });
      Promise.resolve(answer).then(end, end);
      return answer;
    },
  });
}

/**
 * Waits for what is due to happen, ends the rest, and returns that. How long it takes does not matter: what is due happens,
 * and what is not due counts as left behind whether or not there would have been time for it.
 *
 * @param settle may run or end what is excused
 */
export async function endPending(settle: (one: Pending) => void = () => undefined): Promise<readonly Pending[]> {
  const turn = () => new Promise<void>((done) => void startTimer(done, 1));
  for (let round = 0; round < maxRounds; round++) {
    const due = [...all].filter(([, { isDue }]) => isDue);
    // At least once: an answer that is there has consequences, too.
    do await turn();
    while (due.some(([key, one]) => all.get(key) === one));
    pending().forEach(settle);
    if (!pending().some(({ isDue }) => isDue)) break;
  }
  const left = pending();
  for (const { end } of left) end();
  return left;
}

/** The failure that names what was left behind, and where each was started. */
export function leftBehind(owner: string, left: readonly Pick<Pending, "what" | "started">[]): Error {
  const places = left.map(({ what, started }) => `${what}, started\n${framesOf(started).slice(0, 8).join("\n")}`);
  return new Error(`${owner} left behind:\n${places.join("\n")}`);
}

/** Whether it was started by code in one of these places itself. */
export const isOf = ({ started }: Pending, ...places: readonly string[]): boolean =>
  places.some((place) => framesOf(started)[0]?.includes(place));

/** The lines of where it was started, the nearest first. */
const framesOf = ({ stack = "" }: Error): readonly string[] =>
  stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("test/support/left-behind"));
