import type { IncomingMessage } from "node:http";
import type { Call } from "@/example-directory/answer";

/** A request as received, without its headers, which hold keys. */
export interface ReceivedCall {
  readonly path: string;
  readonly query: string;
  readonly body: string | null;
}

const mostCalls = 1_000;

export class ReceivedCalls {
  #calls: ReceivedCall[] = [];

  all(path: string): readonly ReceivedCall[] {
    return this.#calls.filter((call) => call.path === path);
  }

  add({ path, body }: Call, { url = "" }: IncomingMessage): void {
    this.#calls.push({ path, query: url.includes("?") ? url.slice(url.indexOf("?") + 1) : "", body });
    // Dropping half at a time moves each element once on average.
    if (this.#calls.length > mostCalls * 2) this.#calls = this.#calls.slice(-mostCalls);
  }
}
