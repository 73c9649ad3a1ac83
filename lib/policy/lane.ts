import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { answerVehicle, largestBody, refuse, type VehicleAnswer } from "@/lib/policy/answer-vehicle";
import type { CompiledPolicy } from "@/lib/policy/compiled-policy";
import type { CryptoHooks } from "@/lib/policy/crypto-hooks";
import { environments, type Environment } from "@/lib/policy/vocabulary";

/** What the lane needs of the rest of the server. */
export interface LaneOptions {
  /** The policy in service, or null while there is none. */
  readonly policy: (environment: Environment) => CompiledPolicy | null;
  readonly hooks: CryptoHooks;
  /** Headers of every answer of this server, e.g. `X-Content-Type-Options`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests under way at once; beyond it the answer is 503 with `Retry-After`. */
  readonly mostAtOnce: number;
  /** Told of every answer, for log and metrics. */
  readonly observe: (event: LaneEvent) => void;
}

export interface LaneEvent {
  readonly environment: Environment;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  /** From the first line of the request to the last byte handed to the system, in milliseconds. */
  readonly milliseconds: number;
  readonly bytes: number;
  readonly cause: unknown;
}

/** The request headers that decide how a body is read and an answer is sent. */
export interface VehicleHeaders {
  readonly "content-type"?: string | undefined;
  readonly "accept-encoding"?: string | undefined;
}

const environmentByPath = new Map(
  environments.flatMap((environment) =>
    ["/api/v1", "/api/1"].flatMap((prefix) =>
      [`${prefix}/${environment}/policy`, `${prefix}/${environment}/policy/`].map(
        (path) => [path, environment] as const,
      ),
    ),
  ),
);

/**
 * The environment of a policy route, or null when the lane leaves the request to Next: another path (`api.md` 0.1), or a
 * compressed body, which no head unit sends.
 */
export function policyRouteOf({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): Environment | null {
  if (headers["content-encoding"] !== undefined) return null;
  const query = url.indexOf("?");
  return environmentByPath.get(query === -1 ? url : url.slice(0, query)) ?? null;
}

/**
 * The vehicle lane: answers the two policy routes from the compiled policy, without the framework and without the
 * database (`api.md` 9.1, CORS by 0.7).
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #headers: readonly string[];
  #atOnce = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#headers = [
      ...Object.entries(options.headers).flat(),
      ...[
        "Content-Type",
        "application/json; charset=utf-8",
        "Access-Control-Allow-Origin",
        "*",
        "Vary",
        "Accept-Encoding",
        // A table may hold the private key of head units.
        "Cache-Control",
        "no-store",
      ],
    ];
  }

  /** Answers one request of a policy route. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, environment: Environment): void {
    const start = performance.now();
    const done = (answer: VehicleAnswer) => this.#send(request, response, answer, environment, start);
    if (request.method === "OPTIONS") this.#preflight(request, response, environment, start);
    else if (request.method !== "POST") done(refuse(randomUUID(), 405, "Method not allowed"));
    else if (this.#atOnce >= this.#options.mostAtOnce) done(refuse(randomUUID(), 503, "Service unavailable", 1));
    else this.#receive(request, response, environment, done);
  }

  /** The same answer for hosts that hand over a whole body (the framework's route handlers). */
  answer(environment: Environment, body: Buffer, headers: VehicleHeaders) {
    const { policy, hooks } = this.#options;
    return answerVehicle({
      environment,
      body,
      contentType: headers["content-type"],
      acceptsGzip: acceptsGzip(headers["accept-encoding"]),
      policy: policy(environment),
      hooks,
    });
  }

  #receive(
    request: IncomingMessage,
    response: ServerResponse,
    environment: Environment,
    done: (answer: VehicleAnswer) => void,
  ): void {
    this.#atOnce++;
    response.once("close", () => this.#atOnce--);
    if (Number(request.headers["content-length"] ?? 0) > largestBody) {
      done(refuse(randomUUID(), 413, "Payload too large"));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= largestBody) chunks.push(chunk);
      else if (!response.headersSent) done(refuse(randomUUID(), 413, "Payload too large"));
    });
    request.on("end", () => {
      if (length > largestBody) return;
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
      const answer = this.answer(environment, body, request.headers);
      if (answer instanceof Promise) void answer.then(done);
      else done(answer);
    });
    // The peer went away or was cut off: there is nobody left to answer.
    request.on("error", () => response.destroy());
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: VehicleAnswer,
    environment: Environment,
    start: number,
  ): void {
    const headers = [...this.#headers, "Content-Length", String(answer.length)];
    if (answer.isGzip) headers.push("Content-Encoding", "gzip");
    if (answer.retryAfter !== null) headers.push("Retry-After", String(answer.retryAfter));
    if (answer.status === 405) headers.push("Allow", "POST, OPTIONS");
    // What is left of the body is not read: the connection cannot carry another request.
    if (answer.status === 413 || !(request.complete || request.method === "GET" || request.method === "HEAD"))
      headers.push("Connection", "close");
    response.writeHead(answer.status, headers);
    const last = answer.buffers.length - 1;
    if (request.method !== "HEAD") {
      for (let at = 0; at < last; at++) response.write(answer.buffers[at]);
    }
    response.end(answer.buffers[last]);
    const { status, requestId, length, cause } = answer;
    const milliseconds = performance.now() - start;
    this.#options.observe({
      environment,
      method: request.method ?? "",
      status,
      requestId,
      milliseconds,
      bytes: length,
      cause,
    });
  }

  #preflight(request: IncomingMessage, response: ServerResponse, environment: Environment, start: number): void {
    const asked = request.headers["access-control-request-headers"];
    response.writeHead(204, {
      ...this.#options.headers,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "POST",
      Vary: "Access-Control-Request-Headers",
      ...(asked === undefined ? {} : { "Access-Control-Allow-Headers": asked }),
    });
    response.end();
    const milliseconds = performance.now() - start;
    this.#options.observe({
      environment,
      method: "OPTIONS",
      status: 204,
      requestId: randomUUID(),
      milliseconds,
      bytes: 0,
      cause: null,
    });
  }
}

const known = new Map<string, boolean>();

/** Whether a client accepts gzip. Remembers the few header values that vehicles send. */
function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || header === "") return false;
  const remembered = known.get(header);
  if (remembered !== undefined) return remembered;
  const accepts =
    new Negotiator({ headers: { "accept-encoding": header } }).encodings(["gzip", "identity"])[0] === "gzip";
  if (known.size < 100) known.set(header, accepts);
  return accepts;
}
