import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { createClientFinder, networkOf, type Proxies } from "@/lib/platform/http/read/client-address";
import { isTooLong, largestBody } from "@/lib/platform/http/read/read-body";
import { log } from "@/lib/platform/log";
import type { VehicleWorkerLimits } from "@/lib/vehicle-api/limits";

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

  get size(): number {
    return this.#memory?.length ?? 0;
  }

  /** Adds a chunk. Copies chunks into one buffer: sent byte by byte, separate chunks would take 100 times the memory. */
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
 * Receives whole bodies, so that a slow client holds only the bytes it has sent (`processes.md` N8). Without memory,
 * drops the largest incomplete ones. If a client has too many, drops its oldest, but only after a minimum time:
 * vehicles may share an address, and a client that reconnects at once would otherwise displace all others.
 */
export class BodyReceiver {
  readonly room = { bytes: 0 };
  readonly #limits: Required<Limits>;
  readonly #ofClients = new Map<string, Set<Reception>>();
  readonly #excess: Reception[] = [];
  readonly #open = new Set<Reception>();
  /** One timer for all, because most bodies arrive before their own would fire. None while no body is open. */
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

  /** Receives a body. `now`: as `performance.now()`; `client`: null if not limited; `done`: called once. */
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
    // After a block of the event loop, first reads waiting data.
    const look = () => setImmediate(() => this.#endLate());
    this.#timer ??= setInterval(look, Math.min(1_000, this.#limits.bodyMs)).unref();
    request.on("data", (piece: Buffer) => {
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

  /** Drops the largest until an eighth is free, so that sorting stays rare. */
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

const warnEveryMs = 600_000;

/** Identifies clients by address (IPv6 by /64), behind declared proxies the forwarded one. Warns about undeclared ones. */
export class Clients {
  readonly #findClient: ReturnType<typeof createClientFinder>;
  readonly #log: Pick<Logger, "warn">;
  #warnedAt = -Infinity;
  undeclared = 0;

  constructor(proxies: Proxies, logger: Pick<Logger, "warn"> = log) {
    this.#findClient = createClientFinder(proxies);
    this.#log = logger;
  }

  clientOf({ headers, socket }: IncomingMessage, now: number): string {
    const peer = socket.remoteAddress ?? "unknown";
    const forwarded = headers["x-forwarded-for"];
    if (forwarded === undefined) return withoutHost(peer);
    const { address, proxies } = this.#findClient(forwarded, peer);
    if (proxies === 0) this.#observeUndeclared(peer, now);
    return withoutHost(address);
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

/** An IPv4 address is its own client, also in the IPv6 form of dual-stack sockets. */
function withoutHost(address: string): string {
  return address.includes(":") && !address.startsWith("::ffff:") ? networkOf(address) : address;
}
