/** Replaced on import, which a setup does first because React keeps its own references to some. */

export interface Pending {
  readonly what: string;
  /** Whether it ends by itself at the next opportunity, so that it is enough to wait. */
  readonly isDue: boolean;
  readonly started: Error;
  readonly end: () => void;
  readonly run: () => void;
}

const key = Symbol.for("policy-server.test.pending");
/** Once per process, however often this is loaded, so that nothing is replaced twice. */
const registry = globalThis as {
  [key]?: { all: Map<unknown, Pending>; startTimer: typeof setTimeout; isWatching: boolean };
};
const state = (registry[key] ??= { all: new Map(), startTimer: globalThis.setTimeout, isWatching: false });
const { all, startTimer } = state;

/** Timers up to this length count as due: one frame of a screen. */
const dueMs = 20;
/** How often due work may start more of its kind before it counts as endless. */
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

/** Timers may be cleared by number, and one kind by the function of another. */
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
  // A proxy, because `setTimeout` has further members.
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

export const pending = (): readonly Pending[] => [...all.values()];

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

/** What is due happens, all else counts as left behind; `settle` may run or end accepted ones. */
export async function endPending(settle: (one: Pending) => void = () => undefined): Promise<readonly Pending[]> {
  const turn = () => new Promise<void>((done) => void startTimer(done, 1));
  for (let round = 0; round < maxRounds; round++) {
    const due = [...all].filter(([, { isDue }]) => isDue);
    // At least once, because a response that has arrived still has consequences.
    do await turn();
    while (due.some(([key, one]) => all.get(key) === one));
    pending().forEach(settle);
    if (!pending().some(({ isDue }) => isDue)) break;
  }
  const left = pending();
  for (const { end } of left) end();
  return left;
}

export function leftBehind(owner: string, left: readonly Pick<Pending, "what" | "started">[]): Error {
  const places = left.map(({ what, started }) => `${what}, started\n${framesOf(started).slice(0, 8).join("\n")}`);
  return new Error(`${owner} left behind:\n${places.join("\n")}`);
}

export const isOf = ({ started }: Pending, ...places: readonly string[]): boolean =>
  places.some((place) => framesOf(started)[0]?.includes(place));

const framesOf = ({ stack = "" }: Error): readonly string[] =>
  stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("test/support/left-behind"));
