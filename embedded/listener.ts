import { once } from "node:events";
import { chmodSync, rmSync, statSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { chooseSocket } from "./address";

const lookMilliseconds = 1000;

/** Restores a socket file that a cleanup removed: a restart would serve an empty database if the folder is gone. */
export class Listener {
  readonly #server: Server;
  #ino = 0n;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #told = "";

  constructor(
    private readonly dataDir: string,
    accept: (socket: Socket) => void,
    private readonly report: (line: string) => void,
  ) {
    this.#server = createServer(accept);
  }

  async open(): Promise<string> {
    const path = chooseSocket(this.dataDir);
    if (path === null) await once(this.#server.listen({ host: "127.0.0.1", port: 0 }), "listening");
    else {
      await this.#listenAt(path);
      const look = () => {
        this.#looking ??= this.#look(path).finally(() => (this.#looking = null));
      };
      this.#timer = setInterval(look, lookMilliseconds);
    }
    this.#server.on("error", (error) => this.#tell(`new connections are not possible: ${error.message}`));
    const bound = this.#server.address();
    return typeof bound === "object" && bound !== null ? `127.0.0.1:${bound.port}` : String(bound);
  }

  async #listenAt(path: string): Promise<void> {
    rmSync(path, { force: true }); // left by a killed process, or created by somebody else
    await once(this.#server.listen({ path }), "listening");
    chmodSync(path, 0o600);
    this.#ino = statSync(path, { bigint: true }).ino;
  }

  async #look(path: string): Promise<void> {
    try {
      if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === this.#ino) return;
      // Connections stay open. Closing removes whatever has the name now, so it comes first.
      this.#server.close();
      if (chooseSocket(this.dataDir) !== path) throw new Error(`${path} cannot be used any more`);
      await this.#listenAt(path);
      this.#tell(`the socket ${path} was removed and has been made again`);
      this.#told = "";
    } catch (error) {
      this.#tell(`new connections are not possible: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #tell(line: string): void {
    if (line !== this.#told) this.report(line);
    this.#told = line;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
