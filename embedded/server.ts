import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { chooseSocket } from "./address";
import type { Reply } from "./commands/context";
import { Dispatcher } from "./dispatch";
import { DatabaseError } from "./errors";
import { Engine, type EngineOptions } from "./storage/engine";
import { newLockToken, releaseLock, takeLock } from "./storage/folder-lock";
import { DamagedRequest, MessageSplitter, parseRequest, sendReply } from "./wire";

const housekeepingMilliseconds = 5000;

export interface ServerOptions extends EngineOptions {
  readonly dataDir: string;
  /** Names this holder of the folder's lock; chosen when not given. */
  readonly lockToken?: string;
}

export interface RunningServer {
  /** Connection string; the same after a restart on the same folder where unix sockets exist. */
  readonly uri: string;
  close(): Promise<void>;
}

class Connections {
  readonly #open = new Set<Socket>();
  readonly #running = new Set<Promise<void>>();
  #lastId = 0;
  #isClosing = false;

  accept(socket: Socket, dispatcher: Dispatcher, report: (line: string) => void): void {
    const id = ++this.#lastId;
    const splitter = new MessageSplitter();
    let previous = Promise.resolve();
    socket.setNoDelay(true);
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#open.delete(socket);
      const abort = () => dispatcher.sessions.abortOfConnection(id);
      abort();
      // What has arrived is still done, and may begin a transaction.
      void previous.then(abort);
    });
    const reply = (request: DamagedRequest["request"], fields: Reply) => {
      if (request.wantsReply && !socket.destroyed) sendReply(socket, request, fields);
    };
    const handle = async (message: Buffer) => {
      try {
        const request = parseRequest(message);
        reply(request, await dispatcher.run(request.command, id));
      } catch (error) {
        if (!(error instanceof DamagedRequest)) throw error;
        reply(error.request, dispatcher.describeFailure(new DatabaseError(22, error.message)));
      }
    };
    const fail = (error: unknown) => {
      report(`connection ${id} ended: ${String(error)}`);
      socket.destroy();
    };
    socket.on("data", (chunk) => {
      if (this.#isClosing) return;
      try {
        for (const message of splitter.push(chunk)) {
          const done = previous.then(() => handle(message)).catch(fail);
          previous = done;
          this.#running.add(done);
          void done.then(() => this.#running.delete(done));
        }
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Finishes the commands that have begun, waiting no longer than the given time, and closes all connections. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosing = true;
    const timer = new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
    await Promise.race([Promise.all(this.#running), timer]);
    await Promise.all(Array.from(this.#open, (socket) => endSocket(socket)));
  }
}

/** Sends what is still to be sent; a client that does not take it is left after a second. */
async function endSocket(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), 1000);
  const closed = once(socket, "close");
  socket.end(() => socket.destroy());
  await closed.catch(() => undefined); // a broken connection is an ended one
  clearTimeout(timer);
}

/** Listens on the socket file, or on a port that is free; gives the path or host and port. */
async function listen(server: Server, socketPath: string | null): Promise<string> {
  server.listen(socketPath === null ? { host: "127.0.0.1", port: 0 } : { path: socketPath });
  await once(server, "listening");
  if (socketPath !== null) chmodSync(socketPath, 0o600);
  const bound = server.address();
  return typeof bound === "object" && bound !== null ? `127.0.0.1:${bound.port}` : String(bound);
}

/**
 * Opens the data folder and serves it.
 *
 * @throws FolderInUse when another process has it, DamagedFile when its content is damaged
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const report = options.report ?? (() => undefined);
  const socketPath = chooseSocket(dataDir);
  const token = await takeLock(dataDir, socketPath, options.lockToken ?? newLockToken());
  const engine = new Engine(dataDir, options);
  try {
    await engine.open();
    if (socketPath !== null) rmSync(socketPath, { force: true }); // left by a process that was killed
    const connections = new Connections();
    const server = createServer((socket) => connections.accept(socket, dispatcher, report));
    const host = await listen(server, socketPath);
    server.on("error", (error) => report(`the listening socket failed: ${error.message}`));
    const dispatcher = new Dispatcher(engine, host, report);
    const housekeeping = setInterval(() => dispatcher.dropExpired(), housekeepingMilliseconds);
    const close = async () => {
      clearInterval(housekeeping);
      const closed = new Promise((resolve) => server.close(resolve));
      await connections.close(housekeepingMilliseconds);
      await closed;
      await engine.close();
      releaseLock(dataDir, token);
    };
    // One node reached directly: the driver must not look for others under the names it is told.
    const query = "directConnection=true&retryWrites=false";
    return { uri: `mongodb://${encodeURIComponent(host).replace("%3A", ":")}/?${query}`, close };
  } catch (error) {
    releaseLock(dataDir, token);
    throw error;
  }
}
