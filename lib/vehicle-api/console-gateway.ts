import { setTimeout as wait } from "node:timers/promises";
import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { type Body, BodyReceiver, type NoBody } from "@/lib/vehicle-api/body-receiver";
import { Callers } from "@/lib/vehicle-api/callers";
import { ConsolePlaces } from "@/lib/vehicle-api/console-places";
import { type ConsoleAddress, type Ending, passOn } from "@/lib/vehicle-api/pass-on";
import { type ConsoleRefusal, hasAnotherInstance, refuseForConsole } from "@/lib/vehicle-api/refusal";
import { whenOver } from "@/lib/vehicle-api/when-over";
import { endPassedOn, type VehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import type { Span } from "@/lib/platform/traces/traces";

const usual = {
  timeoutMs: 5_000,
  maxBodyBytes: 64 * 1_048_576,
  bodyMs: 10_000,
  /** Timeout for the start of the console's response. Longer than the 60 s after which the console responds itself. */
  silenceMs: 65_000,
  /** A client that reads nothing for this long is disconnected. */
  unsentMs: 20_000,
  /** A sign-in holds its slot for this long at most: the identity provider may have stalled. */
  signInMs: 1_000,
  /** Slow clients and sign-ins that hold no console slot; each takes up to 100 kB of memory. */
  maxSlowClients: 1_024,
  isDraining: (): boolean => false,
};

export interface ConsoleGatewayOptions extends Partial<typeof usual> {
  readonly console: ConsoleAddress;
  readonly maxAtOnce: number;
  readonly maxWaiting?: number;
  readonly trusted?: ConstructorParameters<typeof Callers>[0];
  readonly headers: Readonly<Record<string, string>>;
  readonly traces?: VehicleWorkerTraces | null;
  readonly observePassedOn?: ObservePassedOn;
}

/** Called once when a forwarded request is over. `status`: null if the client left before a response started. */
export type ObservePassedOn = (status: number | null, milliseconds: number) => void;

const signInPath = /^\/api\/auth\//;
const noProxies = { trustProxyAddresses: [], authUserHeader: null };
const tryAgainMs = 100;
/** Shorter than the console's keep-alive time (65 s), so that the console never closes a connection first. */
const idleMs = 30_000;

/** Forwards what the worker does not handle (`processes.md` N3). Slow clients and sign-ins hold no console slot. */
export class ConsoleGateway {
  readonly #options: ConsoleGatewayOptions & typeof usual;
  readonly #agent: Agent;
  readonly #bodies: BodyReceiver;
  readonly #places: ConsolePlaces;
  readonly #callers: Callers;
  #slowClients = 0;
  #passedOn = 0;
  readonly #refused = { length: 0, deadline: 0, bytes: 0, busy: 0, away: 0, died: 0, late: 0, malformed: 0 };

  constructor(options: ConsoleGatewayOptions) {
    this.#options = { ...usual, ...options };
    const { maxAtOnce, maxBodyBytes, bodyMs, maxSlowClients } = this.#options;
    const maxSockets = maxAtOnce + maxSlowClients;
    this.#agent = new Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxAtOnce, timeout: idleMs });
    this.#bodies = new BodyReceiver({ maxBodyBytes, bodyMs });
    this.#places = new ConsolePlaces(options);
    this.#callers = new Callers(options.trusted ?? noProxies);
  }

  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const gone = new AbortController();
    const span = this.#options.traces?.ofPassedOn(request) ?? null;
    whenOver(request, response, () => {
      gone.abort();
      const status = response.headersSent ? response.statusCode : null;
      this.#options.observePassedOn?.(status, performance.now() - start);
      if (span !== null) endPassedOn(span, response);
    });
    const body = await this.#receive(request, start);
    if (body === "gone") response.destroy();
    else if (typeof body === "string") this.#refuse(request, response, body === "client" ? "bytes" : body);
    else {
      const ending = await this.#exchange(request, response, body, gone.signal, span);
      body.release();
      if (ending !== "answered" && !gone.signal.aborted) this.#refuse(request, response, ending);
    }
  }

  figures() {
    return {
      underWay: this.#places.taken,
      waiting: this.#places.waiting,
      slowClients: this.#slowClients,
      bodyBytes: this.#bodies.room.bytes,
      passedOn: this.#passedOn,
      refused: { ...this.#refused },
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #receive(request: IncomingMessage, start: number): Promise<Body | NoBody> {
    return new Promise((resolve) => this.#bodies.receive(request, start, resolve));
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    { content }: Body,
    gone: AbortSignal,
    span: Span | null,
  ): Promise<Ending | "busy" | "malformed"> {
    const until = performance.now() + (hasAnotherInstance(request) ? 0 : this.#options.timeoutMs);
    const caller = this.#callers.find(request);
    const release = await this.#places.take(caller, gone);
    if (release === null) return "busy";
    let leave = release;
    const { console, silenceMs, unsentMs, signInMs, maxSlowClients, isDraining } = this.#options;
    const onSlowClient = () => {
      if (leave !== release || this.#slowClients >= maxSlowClients) return;
      release();
      this.#slowClients++;
      leave = () => this.#slowClients--;
    };
    const signIn = signInPath.test(request.url ?? "") ? setTimeout(onSlowClient, signInMs) : undefined;
    const onCaller = (isKnown: boolean) => this.#callers.note(caller, isKnown);
    const onKnownAgo = (milliseconds: number) => this.#places.noteKnown(milliseconds);
    this.#passedOn++;
    try {
      const to = { console, agent: this.#agent, isDraining, silenceMs, unsentMs };
      const traceparent = span?.traceparent ?? null;
      const handlers = { onSlowClient, onCaller, onKnownAgo };
      const exchange = { ...to, request, response, body: content, traceparent, gone, caller, ...handlers };
      let ending = await passOn(exchange);
      // The console has seen nothing of the request, and a restart is worth a short wait.
      while (ending === "away" && !gone.aborted && performance.now() < until) {
        await wait(tryAgainMs);
        ending = await passOn(exchange);
      }
      return ending;
    } catch {
      // Node may refuse to send what it has received, if the target or a header contains an invalid character.
      return "malformed";
    } finally {
      clearTimeout(signIn);
      leave();
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, reason: ConsoleRefusal): void {
    this.#refused[reason]++;
    if (this.#options.isDraining()) response.shouldKeepAlive = false;
    refuseForConsole(request, response, reason, this.#options.headers);
  }
}
