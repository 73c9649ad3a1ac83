import { pause } from "@/lib/platform/async";

const usual = {
  /** Requests that may wait for a slot. */
  maxWaiting: 256,
  /** How long they wait. */
  timeoutMs: 5_000,
  /** How long a refusal is delayed if too many wait. */
  refusalMs: 1_000,
};
/** `maxAtOnce`: concurrent requests to the console. */
type Options = Partial<typeof usual> & { readonly maxAtOnce: number };

/** Maximum number of delayed refusals; each takes some kilobytes of memory. */
const maxHeldBack = 1_024;

/** Slots at the console. Without a free one, requests wait for a while, in order of arrival (`processes.md` N3). */
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

  /** Waits for a slot; return it with `release`. False: too many wait, none in time, or `gone` aborted. */
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

  /** Scripts that are refused at once retry at once, and their refusals then cost more than their requests. */
  async #holdBack(gone: AbortSignal): Promise<false> {
    if (this.#heldBack >= maxHeldBack) return false;
    this.#heldBack++;
    await pause(this.#options.refusalMs, [gone]);
    this.#heldBack--;
    return false;
  }

  release(): void {
    const [next] = this.#waiting;
    // The slot passes to the first waiting request, so that no new one overtakes it.
    if (next === undefined) this.taken--;
    else next(true);
  }
}
