import { once } from "node:events";
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server, type Socket } from "node:net";

/** A connection and what it is passed on to; a silent one swallows everything and never ends by itself. */
interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  isSilent: boolean;
}

/** A door in front of a database that can be shut and opened again, on one port. */
export class DatabaseProxy {
  readonly #target: NetConnectOpts;
  readonly #credentials: string;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<Pair>();
  #isBlack = false;
  #server: Server | null = null;
  port = 0;

  /** @param uri connection string of a single server */
  constructor(uri: string) {
    const [, credentials = "", host = "", port = "27017"] =
      /^mongodb:\/\/([^@/]+@)?([^:/,]+)(?::(\d+))?/.exec(uri) ?? [];
    const name = decodeURIComponent(host);
    this.#target = name.startsWith("/") ? { path: name } : { host: name, port: Number(port) };
    this.#credentials = credentials;
  }

  /** Connection string through the door; the driver stays with this one address. */
  get uri(): string {
    const options = "directConnection=true&retryWrites=false&heartbeatFrequencyMS=500";
    return `mongodb://${this.#credentials}127.0.0.1:${this.port}/?${options}`;
  }

  /** Reserves a port on which nobody listens yet. */
  async reserve(): Promise<void> {
    await this.open();
    await this.shut();
  }

  async open(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.#target);
      const pair: Pair = { client, upstream, isSilent: false };
      this.#pairs.add(pair);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          if (pair.isSilent && socket === upstream) return;
          this.#pairs.delete(pair);
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
      if (this.#isBlack) silence(pair);
    });
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** From now on nothing gets through and nobody is told, as when a network swallows packets. */
  startBlackhole(): void {
    this.#isBlack = true;
    for (const pair of this.#pairs) silence(pair);
  }

  /** Lets new connections through; those from before stay silent, as behind a firewall that has forgotten them. */
  endBlackhole(): void {
    this.#isBlack = false;
  }

  /** Ends all connections in an orderly way, as a proxy does that is restarted; new ones are taken. */
  finish(): void {
    for (const { client } of this.#pairs) client.end();
  }

  async shut(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

function silence(pair: Pair): void {
  pair.isSilent = true;
  pair.client.unpipe(pair.upstream);
  pair.upstream.unpipe(pair.client);
  // What is read and thrown away: the other side must not notice that nobody takes it.
  pair.client.resume();
  pair.upstream.resume();
}
