import { once } from "node:events";
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server, type Socket } from "node:net";

interface Passage {
  readonly client: Socket;
  readonly upstream: Socket;
}

export class DatabaseProxy {
  readonly #target: NetConnectOpts;
  readonly #credentials: string;
  readonly #sockets = new Set<Socket>();
  readonly #passages = new Set<Passage>();
  #isSilent = false;
  #server: Server | null = null;
  port = 0;

  constructor(uri: string) {
    const [, credentials = "", host = "", port = "27017"] =
      /^mongodb:\/\/([^@/]+@)?([^:/,]+)(?::(\d+))?/.exec(uri) ?? [];
    const name = decodeURIComponent(host);
    this.#target = name.startsWith("/") ? { path: name } : { host: name, port: Number(port) };
    this.#credentials = credentials;
  }

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
    if (this.#server !== null) return;
    const server = createServer((client) => {
      const upstream = connect(this.#target);
      const passage = { client, upstream };
      this.#passages.add(passage);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          this.#passages.delete(passage);
          client.destroy();
          upstream.destroy();
        });
      }
      if (!this.#isSilent) pass(passage);
    });
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
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

  /** Closes every connection properly, like a proxy does with idle ones. */
  finish(): void {
    for (const { client } of this.#passages) client.end();
  }

  reset(): void {
    for (const { client } of this.#passages) client.resetAndDestroy();
  }

  /** Drops all bytes of old and new connections, like a network that loses everything. */
  silence(): void {
    this.#isSilent = true;
    for (const { client, upstream } of this.#passages) {
      client.unpipe(upstream).pause();
      upstream.unpipe(client).pause();
    }
  }

  speak(): void {
    this.#isSilent = false;
    for (const passage of this.#passages) pass(passage);
  }

  /** Ends the silence only for new connections, like a firewall that has forgotten the old ones. */
  speakToNew(): void {
    this.#isSilent = false;
  }
}

function pass({ client, upstream }: Passage): void {
  client.pipe(upstream).pipe(client);
}
