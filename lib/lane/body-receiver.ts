import type { IncomingMessage } from "node:http";
import { isTooLong, largestBody } from "@/lib/http/read/read-body";
import { Body, type NoBody, type Room } from "@/lib/lane/body";

export interface BodyReceiverOptions {
  /** Memory that bodies may take together, in bytes. */
  readonly mostBytes: number;
  /** Time for a body, from the end of the headers, in milliseconds; 10 s when not given. */
  readonly deadlineMs?: number;
}

/** A body while it is being sent. */
class Reception extends Body {
  isOpen = true;

  constructor(
    room: Room,
    readonly until: number,
    readonly done: (outcome: Body | NoBody) => void,
  ) {
    super(room);
  }
}

/**
 * Receives bodies whole, so that whoever sends slowly holds nothing but the bytes it has sent (`processes.md` N8). They
 * are bounded one by one (1 MiB), in time, and together: when their room is full, the longest of those that are still
 * being sent are given up, because vehicles send a few kilobytes and must not pay for it.
 */
export class BodyReceiver {
  /** Memory in use, by bodies that were received and not released yet as well. */
  readonly room = { bytes: 0 };
  readonly #mostBytes: number;
  readonly #deadlineMs: number;
  /** In the order in which they run out of time. */
  readonly #open = new Set<Reception>();
  /** One for all: most bodies are there before one of their own would be of any use. None while nothing is being sent. */
  #timer: NodeJS.Timeout | null = null;

  constructor({ mostBytes, deadlineMs = 10_000 }: BodyReceiverOptions) {
    this.#mostBytes = mostBytes;
    this.#deadlineMs = deadlineMs;
  }

  /** Bodies being sent now. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * Receives the body of a request.
   *
   * @param now the present time as `performance.now()` tells it
   * @param done called once: with the body, which its taker releases, or with the reason why there is none
   */
  receive(request: IncomingMessage, now: number, done: (outcome: Body | NoBody) => void): void {
    if (isTooLong(request)) {
      done("length");
      return;
    }
    const body = new Reception(this.room, now + this.#deadlineMs, done);
    this.#open.add(body);
    this.#timer ??= setInterval(() => this.#endLate(), Math.min(1_000, this.#deadlineMs)).unref();
    request.on("data", (piece: Buffer) => {
      // What comes after a refusal is read and forgotten.
      if (!body.isOpen) return;
      if (body.length + piece.length > largestBody) {
        this.#end(body, "length");
        return;
      }
      body.add(piece);
      if (this.room.bytes > this.#mostBytes) this.#makeRoom();
    });
    request.on("end", () => this.#end(body, body));
    request.on("error", () => this.#end(body, "gone"));
  }

  #end(body: Reception, outcome: Body | NoBody): void {
    if (!body.isOpen) return;
    body.isOpen = false;
    this.#open.delete(body);
    if (this.#open.size === 0 && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    if (outcome !== body) body.release();
    body.done(outcome);
  }

  /** Gives up the longest until an eighth is free, so that looking for them stays rare however many there are. */
  #makeRoom(): void {
    const longestFirst = [...this.#open].sort((a, b) => b.size - a.size);
    for (const body of longestFirst) {
      if (this.room.bytes <= (this.#mostBytes * 7) / 8) return;
      this.#end(body, "bytes");
    }
  }

  #endLate(): void {
    const now = performance.now();
    for (const body of this.#open) {
      if (body.until > now) return;
      this.#end(body, "deadline");
    }
  }
}
