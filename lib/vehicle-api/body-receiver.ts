import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { createProxyCount, networkOf, pickClientAddress, type Proxies } from "@/lib/platform/http/read/client-address";
import { isTooLong, largestBody } from "@/lib/platform/http/read/read-body";
import { log } from "@/lib/platform/log";
import type { VehicleWorkerLimits } from "@/lib/vehicle-api/limits";

/** Why a body is not taken: too long, too slow, no room, displaced by a newer one of its client, or its sender left. */
export type NoBody = "length" | "deadline" | "bytes" | "client" | "gone";

interface Room {
  bytes: number;
}

export class Body {
  length = 0;
  readonly #room: Room;
  #memory: Buffer | null = null;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Bytes of memory it takes; those it has grown into included. */
  get size(): number {
    return this.#memory?.length ?? 0;
  }

  /** Takes the next piece. Pieces are copied together: byte by byte they would take 100 times their length. */
  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.#memory === null) this.#replace(piece);
    else if (length <= this.#memory.length) piece.copy(this.#memory, this.length);
    else {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, Math.min(2 * this.length, largestBody)));
      this.#memory.copy(grown, 0, 0, this.length);
      piece.copy(grown, this.length);
      this.#replace(grown);
    }
    this.length = length;
  }

  get content(): Buffer {
    if (this.#memory === null) return Buffer.alloc(0);
    return this.#memory.length === this.length ? this.#memory : this.#memory.subarray(0, this.length);
  }

  release(): void {
    this.#room.bytes -= this.size;
    this.#memory = null;
    this.length = 0;
  }

  #replace(memory: Buffer): void {
    this.#room.bytes += memory.length - this.size;
    this.#memory = memory;
  }
}

/** Without a limit nothing gives way to newer bodies of its client. */
type Limits = Pick<VehicleWorkerLimits, "maxBodyBytes" | "bodyMs"> &
  Partial<Pick<VehicleWorkerLimits, "maxPerClient" | "undisturbedMs">>;

class Reception extends Body {
  isOpen = true;

  constructor(
    room: Room,
    readonly since: number,
    readonly client: string | null,
    readonly done: (outcome: Body | NoBody) => void,
  ) {
    super(room);
  }
}

/**
 * Receives bodies whole, so that a slow sender holds nothing but the bytes it sent (`processes.md` N8). Bodies are
 * bounded one by one (1 MiB), in time, and together: without room, the longest incomplete ones are dropped. Of a client
 * with too many, the oldest go, but each first has time undisturbed: vehicles may share an address, and a client that
 * returns at once would otherwise push everybody out.
 */
export class BodyReceiver {
  /** Memory in use, by bodies that were received and not released yet as well. */
  readonly room = { bytes: 0 };
  readonly #limits: Required<Limits>;
  readonly #ofClients = new Map<string, Set<Reception>>();
  /** Those that came although their client had too many; looked at when everything that has come has been read. */
  readonly #excess: Reception[] = [];
  /** In the order in which they run out of time. */
  readonly #open = new Set<Reception>();
  /** One for all: most bodies are there before one of their own would be of any use. None while nothing is being sent. */
  #timer: NodeJS.Timeout | null = null;

  constructor({ maxBodyBytes, bodyMs, maxPerClient, undisturbedMs = 0 }: Limits) {
    this.#limits = { maxBodyBytes, bodyMs, maxPerClient: maxPerClient || Infinity, undisturbedMs };
  }

  get open(): number {
    return this.#open.size;
  }

  get clients(): number {
    return this.#ofClients.size;
  }

  /** Receives a body. `now`: as `performance.now()`; `client`: null to not tell apart; `done`: called once. */
  receive(
    request: IncomingMessage,
    now: number,
    done: (outcome: Body | NoBody) => void,
    client: string | null = null,
  ): void {
    if (isTooLong(request)) {
      done("length");
      return;
    }
    const body = new Reception(this.room, now, client, done);
    if (client !== null) this.#addOf(client, body);
    this.#open.add(body);
    // A process that stood still first reads what has come meanwhile.
    const look = () => setImmediate(() => this.#endLate());
    this.#timer ??= setInterval(look, Math.min(1_000, this.#limits.bodyMs)).unref();
    request.on("data", (piece: Buffer) => {
      // What comes after a refusal is read and forgotten.
      if (!body.isOpen) return;
      if (body.length + piece.length > largestBody) {
        this.#end(body, "length");
        return;
      }
      body.add(piece);
      if (this.room.bytes > this.#limits.maxBodyBytes) this.#makeRoom();
    });
    request.on("end", () => this.#end(body, body));
    request.on("error", () => this.#end(body, "gone"));
  }

  #addOf(client: string, body: Reception): void {
    const bodies = this.#ofClients.get(client);
    if (bodies === undefined) this.#ofClients.set(client, new Set([body]));
    else if (bodies.add(body).size > this.#limits.maxPerClient) {
      if (this.#excess.length === 0) setImmediate(() => this.#giveWay());
      this.#excess.push(body);
    }
  }

  /** For each that came although its client had too many, and is still incomplete, the oldest of this client goes. */
  #giveWay(): void {
    const begin = performance.now() - this.#limits.undisturbedMs;
    for (const { isOpen, client } of this.#excess.splice(0)) {
      const bodies = isOpen && client !== null ? this.#ofClients.get(client) : undefined;
      const [oldest] = bodies ?? [];
      if (bodies === undefined || oldest === undefined) continue;
      if (bodies.size > this.#limits.maxPerClient && oldest.since <= begin) this.#end(oldest, "client");
    }
  }

  #removeOf(client: string, body: Reception): void {
    const bodies = this.#ofClients.get(client);
    if (bodies?.delete(body) && bodies.size === 0) this.#ofClients.delete(client);
  }

  #end(body: Reception, outcome: Body | NoBody): void {
    if (!body.isOpen) return;
    body.isOpen = false;
    this.#open.delete(body);
    if (body.client !== null) this.#removeOf(body.client, body);
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
      if (this.room.bytes <= (this.#limits.maxBodyBytes * 7) / 8) return;
      this.#end(body, "bytes");
    }
  }

  #endLate(): void {
    const begin = performance.now() - this.#limits.bodyMs;
    for (const body of this.#open) {
      if (body.since > begin) return;
      this.#end(body, "deadline");
    }
  }
}

/** Between two lines about an undeclared proxy, in milliseconds. */
const warnEveryMs = 600_000;

/** Tells clients apart by address, behind declared proxies by the forwarded one, IPv6 by /64. Warns of undeclared ones. */
export class Clients {
  readonly #countProxies: ReturnType<typeof createProxyCount>;
  readonly #log: Pick<Logger, "warn">;
  #warnedAt = -Infinity;
  /** Requests with `X-Forwarded-For` from senders that are not declared proxies. */
  undeclared = 0;

  /** @param logger for the warnings; the log of the process by default */
  constructor(proxies: Proxies, logger: Pick<Logger, "warn"> = log) {
    this.#countProxies = createProxyCount(proxies);
    this.#log = logger;
  }

  /** @param now the present time as `performance.now()` tells it */
  clientOf({ headers, socket }: IncomingMessage, now: number): string {
    const address = socket.remoteAddress ?? "unknown";
    const forwarded = headers["x-forwarded-for"];
    if (forwarded === undefined) return withoutHost(address);
    const list = [forwarded].flat().join(",");
    const proxies = this.#countProxies(list, address);
    if (proxies === 0) this.#observeUndeclared(address, now);
    return withoutHost(pickClientAddress(list, address, proxies));
  }

  #observeUndeclared(address: string, now: number): void {
    this.undeclared++;
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#log.warn(
      { address },
      "X-Forwarded-For comes from an address that is not a declared proxy, so all vehicles behind it count as one client: " +
        "if it is your proxy, add it to TRUST_PROXY_ADDRESSES",
    );
  }
}

/** An IPv4 address is its own client, also in the form that a socket for both families gives it. */
function withoutHost(address: string): string {
  return address.includes(":") && !address.startsWith("::ffff:") ? networkOf(address) : address;
}
