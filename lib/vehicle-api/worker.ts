import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buildPreflightHeaders } from "@/lib/platform/http/headers/cors";
import type { Proxies } from "@/lib/platform/http/read/client-address";
import { type Body, BodyReceiver, Clients, type NoBody } from "@/lib/vehicle-api/body-receiver";
import { defaultLimits, type Reason, type VehicleWorkerLimits } from "@/lib/vehicle-api/limits";
import { whenOver } from "@/lib/vehicle-api/when-over";
import { acceptsGzip } from "@/lib/policy/gzip/accepts-gzip";
import {
  answerVehicle,
  refuse,
  type SidedRequest,
  type VehicleAnswer,
  type VehicleEvent,
} from "@/lib/policy/answer/answer-vehicle";
import type { HoldsRelease, ServedRollout } from "@/lib/policy/rollout/side";
import { RolloutRepeats } from "@/lib/vehicle-api/rollout-repeats";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { type Environment, environments } from "@/lib/vocabulary/terms";
import { endVehicleSpan, type VehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import type { RolloutSide } from "@/lib/vocabulary/rollouts";
import type { Span } from "@/lib/platform/traces/traces";

export interface VehicleWorkerOptions {
  readonly policy: (environment: Environment) => CompiledPolicy | null;
  /** The rollout that is alive; null: none is. */
  readonly rollout?: () => ServedRollout | null;
  readonly holdsRelease?: HoldsRelease | undefined;
  /** A vehicle has repeated its request within a minute although its groups were the same (`fleet.md` S13). */
  readonly noteRepeat?: ((side: RolloutSide) => void) | undefined;
  readonly hooks: CryptoHooks;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits?: Partial<VehicleWorkerLimits>;
  readonly proxies?: Proxies;
  readonly isDraining?: () => boolean;
  readonly traces?: VehicleWorkerTraces | null;
  readonly observe: (event: VehicleEvent) => void;
  /** Called with each request after its answer was sent, unless it was refused unread (`fleet.md` S3). */
  readonly offer?: OfferRequest | undefined;
}

export type OfferRequest = (
  environment: Environment,
  body: Buffer,
  policy: CompiledPolicy | null,
  answer: VehicleAnswer,
) => void;

/** Answers the two policy routes from the compiled policy, without Next and database (`api.md` 0.7, 9.1). */
export class VehicleWorker {
  readonly #options: VehicleWorkerOptions;
  readonly #limits: VehicleWorkerLimits;
  readonly #headers: readonly string[];
  readonly #bodies: BodyReceiver;
  readonly #clients: Clients;
  readonly #repeats = new RolloutRepeats();
  readonly #refused: Record<Reason, number> = { client: 0, bytes: 0, deadline: 0, length: 0, waiting: 0, unsent: 0 };
  #waiting = 0;
  /** Responses that the system has not taken yet, oldest first, and their bytes. */
  readonly #unsent = new Set<Turn>();
  #unsentBytes = 0;

  constructor(options: VehicleWorkerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#bodies = new BodyReceiver(this.#limits);
    this.#clients = new Clients(options.proxies ?? { trustProxyAddresses: [] });
    this.#headers = [
      ...Object.entries(options.headers).flat(),
      "Content-Type",
      "application/json; charset=utf-8",
      "Access-Control-Allow-Origin",
      "*",
      "Vary",
      "Accept-Encoding",
      // A table may contain the private key of head units.
      "Cache-Control",
      "no-store",
    ];
  }

  handle(request: IncomingMessage, response: ServerResponse, environment: Environment): void {
    // Before any other work. For most requests, it is just a comparison.
    const span = this.#options.traces?.ofVehicle(environment, request.method) ?? null;
    const turn: Turn = { request, response, environment, start: performance.now(), unsent: null, span };
    if (request.method === "OPTIONS") this.#preflight(turn);
    else if (request.method !== "POST") this.#send(turn, refuse(randomUUID(), 405, "Method not allowed"));
    else this.#receive(turn);
  }

  figures() {
    return {
      receiving: this.#bodies.open,
      bodyBytes: this.#bodies.room.bytes,
      clients: this.#bodies.clients,
      waiting: this.#waiting,
      unsentBytes: this.#unsentBytes,
      undeclared: this.#clients.undeclared,
      refused: { ...this.#refused },
    };
  }

  #receive(turn: Turn): void {
    whenOver(turn.request, turn.response, () => {
      if (turn.unsent !== null && turn.unsent > 0) {
        this.#unsent.delete(turn);
        this.#unsentBytes -= turn.unsent;
      }
      turn.unsent = null;
    });
    turn.unsent = 0;
    const client = this.#clients.clientOf(turn.request, turn.start);
    this.#bodies.receive(turn.request, turn.start, (outcome) => this.#take(turn, outcome), client);
  }

  #take(turn: Turn, outcome: Body | NoBody): void {
    // The client left or was disconnected, so nobody needs a response.
    if (outcome === "gone") {
      turn.span?.end(true);
      turn.response.destroy();
    } else if (typeof outcome === "string") this.#refuse(turn, outcome);
    else {
      const { content } = outcome;
      outcome.release();
      this.#answer(turn, content);
    }
  }

  #answer(turn: Turn, body: Buffer): void {
    if (this.#waiting >= this.#limits.maxWaiting) {
      this.#refuse(turn, "waiting");
      return;
    }
    const { hooks, offer } = this.#options;
    const policy = this.#options.policy(turn.environment);
    const { headers } = turn.request;
    const rollout = turn.environment === "production" ? this.#rollout() : null;
    const answer = answerVehicle({
      environment: turn.environment,
      body,
      contentType: headers["content-type"],
      acceptsGzip: acceptsGzip(headers["accept-encoding"]),
      policy,
      hooks,
      rollout,
      holdsRelease: this.#options.holdsRelease,
      noteSide: rollout === null ? undefined : (request) => this.#noteSide(request, turn.start),
    });
    if (!(answer instanceof Promise)) {
      this.#send(turn, answer);
      offer?.(turn.environment, body, policy, answer);
    } else {
      this.#waiting++;
      void answer.then((made) => {
        this.#waiting--;
        this.#send(turn, made);
        offer?.(turn.environment, body, policy, made);
      });
    }
  }

  #rollout(): ServedRollout | null {
    const rollout = this.#options.rollout?.() ?? null;
    if (rollout === null) this.#repeats.clear();
    return rollout;
  }

  #noteSide(request: SidedRequest, now: number): void {
    if (this.#repeats.note(request, now)) this.#options.noteRepeat?.(request.side);
  }

  #refuse(turn: Turn, reason: Reason): void {
    this.#refused[reason]++;
    const id = randomUUID();
    if (reason === "length") this.#send(turn, refuse(id, 413, "Payload too large"));
    else if (reason === "deadline") this.#send(turn, refuse(id, 408, "The body did not arrive in time"));
    else this.#send(turn, refuse(id, 503, "Service unavailable", 1));
  }

  #send(turn: Turn, answer: VehicleAnswer): void {
    const { request, response } = turn;
    const headers = [...this.#headers, "Content-Length", String(answer.length)];
    if (answer.isGzip) headers.push("Content-Encoding", "gzip");
    if (answer.retryAfter !== null) headers.push("Retry-After", String(answer.retryAfter));
    if (answer.status === 405) headers.push("Allow", "POST, OPTIONS");
    // The rest of the body is not read, so the connection cannot carry another request.
    if (!request.complete && request.method !== "GET" && request.method !== "HEAD") response.shouldKeepAlive = false;
    if (this.#options.isDraining?.() === true) response.shouldKeepAlive = false;
    response.writeHead(answer.status, headers);
    const last = answer.buffers.length - 1;
    if (request.method !== "HEAD") {
      for (let at = 0; at < last; at++) response.write(answer.buffers[at]);
    }
    response.end(answer.buffers[last]);
    this.#followUnsent(turn, answer.length);
    this.#observe(turn, answer);
  }

  /** Counts response bytes that the system has not taken yet. A socket timeout detects clients that read nothing. */
  #followUnsent(turn: Turn, length: number): void {
    const { response } = turn;
    if (response.writableFinished || response.destroyed) return;
    if (turn.unsent !== null) {
      turn.unsent = length;
      this.#unsent.add(turn);
      this.#unsentBytes += length;
      if (this.#unsentBytes > this.#limits.maxUnsentBytes) this.#endUnsent();
    }
    // Ends with the response: the next request, or waiting for one, has its own timeout.
    const bound = (socket: Socket) => void socket.setTimeout(this.#limits.unsentMs);
    if (response.socket !== null) bound(response.socket);
    // Starts when the previous responses on the connection have been sent.
    else response.once("socket", bound);
  }

  /** Disconnects the slowest clients until an eighth is free, so that they do not affect the others. */
  #endUnsent(): void {
    let excess = this.#unsentBytes - (this.#limits.maxUnsentBytes * 7) / 8;
    for (const { request, unsent } of this.#unsent) {
      if (excess <= 0) return;
      excess -= unsent ?? 0;
      if (!request.socket.destroyed) this.#refused.unsent++;
      request.socket.destroy();
    }
  }

  #preflight(turn: Turn): void {
    const { headers } = turn.request;
    const single = (name: string) => headers[name]?.toString();
    if (this.#options.isDraining?.() === true) turn.response.shouldKeepAlive = false;
    turn.response.writeHead(204, {
      ...this.#options.headers,
      ...buildPreflightHeaders(single),
    });
    turn.response.end();
    this.#observe(turn, {
      status: 204,
      requestId: randomUUID(),
      length: 0,
      apps: null,
      repair: null,
      side: null,
      cause: null,
    });
  }

  #observe({ request, environment, start, span }: Turn, answer: Omit<VehicleAnswer, keyof HowSent>): void {
    const { status, requestId, length: bytes, repair, cause } = answer;
    const { method = "" } = request;
    const milliseconds = performance.now() - start;
    if (span !== null) endVehicleSpan(span, answer);
    this.#options.observe({ environment, method, status, requestId, milliseconds, bytes, repair, cause });
  }
}

type HowSent = Pick<VehicleAnswer, "buffers" | "isGzip" | "retryAfter">;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly environment: Environment;
  readonly start: number;
  unsent: number | null;
  readonly span: Span | null;
}

const environmentByPath = new Map<string, Environment>(
  environments.flatMap((environment) =>
    ["/api/v1", "/api/1"].flatMap((prefix) =>
      ["", "/"].map((end) => [`${prefix}/${environment}/policy${end}`, environment] as const),
    ),
  ),
);

/** The environment of a policy route; null for another path (`api.md` 0.1) or a compressed body. */
export function policyRouteOf({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): Environment | null {
  if (headers["content-encoding"] !== undefined) return null;
  const query = url.indexOf("?");
  return environmentByPath.get(query === -1 ? url : url.slice(0, query)) ?? null;
}
