import { pause } from "@/lib/platform/async";
import type { Caller } from "@/lib/vehicle-api/callers";

const usual = {
  /** Requests that may wait for a slot: so many of known callers, and so many of strangers. */
  maxWaiting: 256,
  timeoutMs: 5_000,
  /** How long a refusal is delayed if too many wait. */
  refusalMs: 1_000,
};
type Options = Partial<typeof usual> & { readonly maxAtOnce: number };
type Release = () => void;

interface Waiting {
  readonly caller: Pick<Caller, "isKnown" | "queue">;
  readonly end: (outcome: Release | "late" | "crowded") => void;
}

/** After a known caller, strangers enter one by one for this long: what runs in the console at once makes each page slower. */
const courtesyMs = 60_000;
/** A stranger who stays inside for longer than this no longer keeps out the next one. */
const shortMs = 1_000;

/** Maximum number of delayed refusals; each takes some kilobytes of memory. */
const maxHeldBack = 1_024;

/**
 * Slots at the console (`processes.md` N3, N3a). Without a free one, requests wait: known callers first, in order of
 * arrival, then strangers, whose queues take turns. Strangers have three quarters of the slots. As long as known
 * callers come, they have an eighth, enter one by one, and take at most half of the time.
 */
export class ConsolePlaces {
  readonly #options: Required<Options>;
  #lastKnown = -Infinity;
  readonly #known = new Set<Waiting>();
  readonly #strangers = new Map<string, Set<Waiting>>();
  #strangersInside = 0;
  /** Strangers who keep out the next one: they have just entered, or the rest after them is not over. */
  #shortStrangers = 0;
  #heldBack = 0;
  taken = 0;

  constructor(options: Options) {
    this.#options = { ...usual, ...options };
  }

  get waiting(): number {
    return this.#known.size + this.#waitingStrangers();
  }

  /** Waits for a slot; call the result once to give it back. Null: too many wait, none in time, or `gone` aborted. */
  async take(caller: Waiting["caller"], gone: AbortSignal): Promise<Release | null> {
    if (gone.aborted) return null;
    if (caller.isKnown) this.noteKnown(0);
    if (this.#isFree(caller)) return this.#enter(caller);
    if (this.#isTooMany(caller)) return this.#holdBack(gone);
    const outcome = await this.#wait(caller, gone);
    if (outcome === "crowded") return this.#holdBack(gone);
    return outcome === "late" ? null : outcome;
  }

  noteKnown(millisecondsAgo: number): void {
    this.#lastKnown = Math.max(this.#lastKnown, performance.now() - millisecondsAgo);
  }

  #isFree({ isKnown }: Waiting["caller"]): boolean {
    return this.taken < this.#options.maxAtOnce && (isKnown || this.#mayStrangerEnter());
  }

  #mayStrangerEnter(): boolean {
    const { maxAtOnce } = this.#options;
    if (!this.#isCourteous) return this.#strangersInside < maxAtOnce - Math.floor(maxAtOnce / 4);
    return this.#shortStrangers === 0 && this.#strangersInside < Math.max(1, Math.floor(maxAtOnce / 8));
  }

  get #isCourteous(): boolean {
    return performance.now() - this.#lastKnown < courtesyMs;
  }

  #enter({ isKnown }: Waiting["caller"]): Release {
    this.taken++;
    if (isKnown) return () => this.#leave();
    this.#strangersInside++;
    this.#shortStrangers++;
    const since = performance.now();
    const endShort = () => {
      timer = null;
      this.#shortStrangers--;
      this.#letIn();
    };
    let timer: NodeJS.Timeout | null = setTimeout(endShort, shortMs);
    return () => {
      this.#strangersInside--;
      if (timer !== null) {
        clearTimeout(timer);
        // The next stranger comes after a rest as long as this one has taken.
        if (this.#isCourteous) setTimeout(endShort, performance.now() - since);
        else this.#shortStrangers--;
      }
      this.#leave();
    };
  }

  #leave(): void {
    this.taken--;
    this.#letIn();
  }

  #letIn(): void {
    while (this.taken < this.#options.maxAtOnce) {
      const [known] = this.#known;
      const next = known ?? this.#nextStranger();
      if (next === undefined) return;
      next.end(this.#enter(next.caller));
    }
  }

  #nextStranger(): Waiting | undefined {
    const [first] = this.#strangers;
    if (first === undefined || !this.#mayStrangerEnter()) return undefined;
    const [name, queue] = first;
    this.#strangers.delete(name);
    this.#strangers.set(name, queue);
    return [...queue][0];
  }

  #wait(caller: Waiting["caller"], gone: AbortSignal): Promise<Parameters<Waiting["end"]>[0]> {
    return new Promise((resolve) => {
      const giveUp = () => waiting.end("late");
      const waiting: Waiting = {
        caller,
        end: (outcome) => {
          clearTimeout(timer);
          gone.removeEventListener("abort", giveUp);
          this.#remove(waiting);
          resolve(outcome);
        },
      };
      const timer = setTimeout(giveUp, this.#options.timeoutMs);
      gone.addEventListener("abort", giveUp);
      if (caller.isKnown) this.#known.add(waiting);
      else this.#strangers.set(caller.queue, this.#queueOf(caller.queue).add(waiting));
    });
  }

  #remove(waiting: Waiting): void {
    const { queue, isKnown } = waiting.caller;
    if (isKnown) this.#known.delete(waiting);
    else if (this.#queueOf(queue).delete(waiting) && this.#queueOf(queue).size === 0) this.#strangers.delete(queue);
  }

  #queueOf(name: string): Set<Waiting> {
    return this.#strangers.get(name) ?? new Set();
  }

  /** Whether a request finds no room to wait. The newest request of the longest queue gives way to others. */
  #isTooMany({ isKnown, queue }: Waiting["caller"]): boolean {
    const { maxWaiting } = this.#options;
    if (isKnown) return this.#known.size >= maxWaiting;
    if (this.#waitingStrangers() < maxWaiting) return false;
    const most = [...this.#strangers.values()].reduce((a, b) => (b.size > a.size ? b : a), new Set<Waiting>());
    if (most.size <= this.#queueOf(queue).size + 1) return true;
    [...most].at(-1)?.end("crowded");
    return false;
  }

  #waitingStrangers(): number {
    return [...this.#strangers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Scripts that are refused at once retry at once, and their refusals then cost more than their requests. */
  async #holdBack(gone: AbortSignal): Promise<null> {
    if (this.#heldBack >= maxHeldBack) return null;
    this.#heldBack++;
    await pause(this.#options.refusalMs, [gone]);
    this.#heldBack--;
    return null;
  }
}
