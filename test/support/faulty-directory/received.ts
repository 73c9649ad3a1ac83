import type { IncomingMessage } from "node:http";
import type { Call } from "@/example-directory/answer";

/** A request as received. */
export interface ReceivedCall {
  readonly method: string;
  /** As in `Call`. */
  readonly path: string;
  /** The part after the question mark, as sent. */
  readonly query: string;
  /** Names of the headers as spelled by the sender. */
  readonly headerNames: readonly string[];
  /** Values by lower-case name, without those of the keys. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const secretHeaders = new Set(["public_key", "secret_key"]);

/** The latest requests, oldest first. */
export class ReceivedCalls {
  readonly #most: number;
  #calls: ReceivedCall[] = [];
  #total = 0;

  /** @param max number of requests to keep */
  constructor(max: number) {
    this.#most = max;
  }

  /** Total number received, including those no longer kept. */
  get total(): number {
    return this.#total;
  }

  /** @param path returns only requests for this path */
  all(path?: string): readonly ReceivedCall[] {
    return this.#calls.slice(-this.#most).filter((call) => path === undefined || call.path === path);
  }

  clear(): void {
    this.#calls = [];
  }

  add({ method, path, body }: Call, { url = "", rawHeaders, headers }: IncomingMessage): void {
    this.#total++;
    this.#calls.push({
      method,
      path,
      query: url.includes("?") ? url.slice(url.indexOf("?") + 1) : "",
      headerNames: rawHeaders.filter((_, at) => at % 2 === 0),
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          secretHeaders.has(name) || value === undefined ? [] : [[name, value.toString()]],
        ),
      ),
      body,
    });
    // Dropping half at a time moves each element once on average.
    if (this.#calls.length > this.#most * 2) this.#calls = this.#calls.slice(-this.#most);
  }
}
