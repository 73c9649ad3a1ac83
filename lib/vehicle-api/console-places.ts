import { pause } from "@/lib/platform/async";

const usual = {
  /** Requests that wait for one of those at work to end. */
  maxWaiting: 256,
  /** How long they wait. */
  timeoutMs: 5_000,
  /** How long the refusal of one who finds too many waiting is held back. */
  refusalMs: 1_000,
};
/** `maxAtOnce`: requests that the console works on at once. */
type Options = Partial<typeof usual> & { readonly maxAtOnce: number };

/** Refusals held back at once; each takes some kilobytes of memory. */
const maxHeldBack = 1_024;

/** The places at the console: who finds none waits a while, in the order of coming (`processes.md` N3). */
export class ConsolePlaces {
  readonly #options: Required<Options>;
  readonly #waiting = new Set<(isGiven: boolean) => void>();
  #heldBack = 0;
  taken = 0;

  constructor(options: Options) {
    this.#options = { ...usual, ...options };
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a place; give it back with `release`. False: too many wait, none in time, or `gone` aborted. */
  take(gone: AbortSignal): Promise<boolean> {
    if (gone.aborted) return Promise.resolve(false);
    if (this.taken < this.#options.maxAtOnce) {
      this.taken++;
      return Promise.resolve(true);
    }
    if (this.#waiting.size >= this.#options.maxWaiting) return this.#holdBack(gone);
    return new Promise((resolve) => {
      const settle = (isGiven: boolean) => {
        clearTimeout(timer);
        gone.removeEventListener("abort", giveUp);
        this.#waiting.delete(settle);
        resolve(isGiven);
      };
      const giveUp = () => settle(false);
      const timer = setTimeout(giveUp, this.#options.timeoutMs);
      gone.addEventListener("abort", giveUp);
      this.#waiting.add(settle);
    });
  }

  /** Programs that are refused at once come back at once, and their refusals then cost more than the work they ask for. */
  async #holdBack(gone: AbortSignal): Promise<false> {
    if (this.#heldBack >= maxHeldBack) return false;
    this.#heldBack++;
    await pause(this.#options.refusalMs, [gone]);
    this.#heldBack--;
    return false;
  }

  release(): void {
    const [next] = this.#waiting;
    // The place goes from hand to hand: nobody who comes now is before those who wait.
    if (next === undefined) this.taken--;
    else next(true);
  }
}
