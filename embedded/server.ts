import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { chooseSocket } from "./address";
import type { Reply } from "./commands/context";
import { Dispatcher } from "./dispatch";
import { DatabaseError } from "./errors";
import { Listener } from "./listener";
import { Engine, type EngineOptions } from "./storage/engine";
import { FolderInUse, newLockToken, releaseLock, takeLock } from "./storage/folder-lock";
import { DamagedRequest, MessageSplitter, parseRequest, sendReply } from "./wire";

const housekeepingMilliseconds = 5000;

export interface ServerOptions extends EngineOptions {
  readonly dataDir: string;
  readonly lockToken?: string;
}

export interface RunningServer {
  /** Connection string. With unix sockets, it stays the same after a restart on the same folder. */
  readonly uri: string;
  close(): Promise<void>;
}

class Connections {
  readonly #open = new Set<Socket>();
  readonly #running = new Set<Promise<void>>();
  #lastId = 0;
  #isClosing = false;

  accept(socket: Socket, dispatcher: Dispatcher, report: (line: string) => void): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
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
      // Commands that have arrived still run, and may start a transaction.
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

  async close(milliseconds: number): Promise<void> {
    this.#isClosing = true;
    const waiting = new AbortController();
    const late = wait(milliseconds, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    waiting.abort();
    await Promise.all(Array.from(this.#open, (socket) => endSocket(socket)));
  }
}

async function endSocket(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), 1000);
  const closed = once(socket, "close");
  socket.end(() => socket.destroy());
  await closed.catch(() => undefined); // a broken connection has also ended
  clearTimeout(timer);
}

/** Opens and serves the data folder. Throws FolderInUse if another process has it, DamagedFile if it is damaged. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const report = options.report ?? (() => undefined);
  const socketPath = chooseSocket(dataDir);
  const token = await takeLock(dataDir, socketPath, options.lockToken ?? newLockToken());
  const engine = new Engine(dataDir, options);
  try {
    await engine.open();
    const connections = new Connections();
    const listener = new Listener(dataDir, (socket) => connections.accept(socket, dispatcher, report), report);
    const host = await listener.open();
    const dispatcher = new Dispatcher(engine, host, report);
    const housekeeping = setInterval(() => dispatcher.dropExpired(), housekeepingMilliseconds);
    const close = async () => {
      clearInterval(housekeeping);
      const closed = listener.close();
      await connections.close(housekeepingMilliseconds);
      await closed;
      await engine.close();
      releaseLock(dataDir, token);
    };
    return { uri: uriOf(host), close };
  } catch (error) {
    releaseLock(dataDir, token);
    throw error;
  }
}

function uriOf(host: string): string {
  // A direct connection to one node: the driver must not look for others under the names in `hello`.
  const query = "directConnection=true&retryWrites=false";
  return `mongodb://${encodeURIComponent(host).replace("%3A", ":")}/?${query}`;
}

/** Like `startServer`, for reading only: joins a process of this machine that serves the folder and has a socket. */
export async function joinServer(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const socket = error instanceof FolderInUse ? chooseSocket(realpathSync(options.dataDir)) : null;
    if (socket === null) throw error;
    return { uri: uriOf(socket), close: () => Promise.resolve() };
  }
}
