import { isUnexpectedDatabase } from "@/lib/policy/latch";

export interface TroubleLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What keeps the policy from being renewed, or the database from being written: told once each, not at every look. */
export class Trouble {
  readonly #log: TroubleLog;
  #lastError: string | null = null;
  #writeRefusal: string | null = null;
  /** What fails at present, with the reason that was logged. */
  readonly #failures = new Map<string, string>();

  constructor(log: TroubleLog) {
    this.#log = log;
  }

  /** The newest failure, without its details; null while there is none. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** Why the database takes no writes; null while it does. */
  get writeRefusal(): string | null {
    return this.#writeRefusal;
  }

  /** The same failure every second is one line, not one a second. */
  tell(message: string, error: unknown): void {
    // Its sentence says it all, whatever was tried.
    const isUnexpected = isUnexpectedDatabase(error);
    const reason = isUnexpected ? error.message : error instanceof Error ? error.name : "unknown";
    this.#lastError = isUnexpected ? reason : `${message} (${reason})`;
    if (this.#failures.get(message) === reason) return;
    this.#failures.set(message, reason);
    if (isUnexpected) this.#log.error({}, reason);
    else if (reason === "DatabaseNotPrepared") this.#log.info({}, "waiting for the first data");
    else this.#log.error({ err: error }, message);
  }

  /** The policy is renewed again. */
  isOver(): void {
    this.#lastError = null;
    this.#failures.clear();
  }

  /**
   * Says once that the database takes no writes, and once that it does again.
   *
   * @returns whether it does again
   */
  tellWrites(refusal: string | null): boolean {
    if (refusal === this.#writeRefusal) return false;
    this.#writeRefusal = refusal;
    if (refusal !== null) this.#log.error({ reason: refusal }, "the database accepts no writes");
    else this.#log.info({}, "the database accepts writes again");
    return refusal === null;
  }
}
