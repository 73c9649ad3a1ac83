import { UnexpectedDatabase } from "@/lib/policy/latch";

export interface TroubleLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Logs what prevents renewing the policy or writing to the database, once per problem instead of at every check. */
export class Trouble {
  readonly #log: TroubleLog;
  #lastError: string | null = null;
  #writeRefusal: string | null = null;
  readonly #failures = new Map<string, string>();

  constructor(log: TroubleLog) {
    this.#log = log;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  get writeRefusal(): string | null {
    return this.#writeRefusal;
  }

  tell(message: string, error: unknown): void {
    // Its message is complete in itself, whatever was attempted.
    const isUnexpected = error instanceof UnexpectedDatabase;
    const reason = isUnexpected ? error.message : error instanceof Error ? error.name : "unknown";
    this.#lastError = isUnexpected ? reason : `${message} (${reason})`;
    if (this.#failures.get(message) === reason) return;
    this.#failures.set(message, reason);
    if (isUnexpected) this.#log.error({}, reason);
    else if (reason === "DatabaseNotPrepared") this.#log.info({}, "waiting for the first data");
    else this.#log.error({ err: error }, message);
  }

  isOver(): void {
    this.#lastError = null;
    this.#failures.clear();
  }

  /** Logs every change once. Returns whether the database accepts writes again. */
  tellWrites(refusal: string | null): boolean {
    if (refusal === this.#writeRefusal) return false;
    this.#writeRefusal = refusal;
    if (refusal !== null) this.#log.error({ reason: refusal }, "the database accepts no writes");
    else this.#log.info({}, "the database accepts writes again");
    return refusal === null;
  }
}
