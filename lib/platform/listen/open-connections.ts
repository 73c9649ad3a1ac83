import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Share of the connections that is closed at once if there are too many, so that looking for them stays rare. */
const closedShare = 1 / 16;

/** The open connections of servers. Beyond a maximum, closes those that have been idle for the longest (`processes.md` N8a). */
export class OpenConnections {
  /** With the response in progress, if any; those without progress for the longest come first. */
  readonly #open = new Map<Socket, ServerResponse | null>();
  readonly #handshakes = new Map<string, Socket>();
  readonly #max: number;
  readonly #onCrowded: () => void;

  constructor(max = Infinity, onCrowded: () => void = () => undefined) {
    this.#max = max;
    this.#onCrowded = onCrowded;
  }

  follow(server: Server, isSecure = false): void {
    server.on("connection", (socket: Socket) => {
      this.#add(socket);
      if (!isSecure) return;
      const peer = peerOf(socket);
      this.#handshakes.set(peer, socket);
      socket.once("close", () => {
        if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer);
      });
    });
    // After the handshake, requests and responses name another socket for the same connection.
    server.on("secureConnection", (socket: Socket) => {
      const shaking = this.#handshakes.get(peerOf(socket));
      if (shaking !== undefined) this.#open.delete(shaking);
      this.#add(socket);
    });
  }

  begin(socket: Socket, response: ServerResponse): void {
    if (this.#max === Infinity) return;
    this.#renew(socket, response);
    response.once("close", () => {
      // With pipelining, the next one may have begun.
      if (this.#open.get(socket) === response) this.#renew(socket, null);
    });
  }

  /** Closes connections without any data yet, which would delay a stop. */
  async closeUnused(): Promise<void> {
    // A request that has already arrived is read in the next turn of the event loop.
    await nextTurn();
    await nextTurn();
    // With TLS, bytes of the handshake do not count as a request.
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  #add(socket: Socket): void {
    this.#open.set(socket, null);
    socket.once("close", () => this.#open.delete(socket));
    if (this.#open.size > this.#max) this.#makeRoom(socket);
  }

  #renew(socket: Socket, response: ServerResponse | null): void {
    if (this.#open.delete(socket)) this.#open.set(socket, response);
  }

  #makeRoom(newest: Socket): void {
    if (!this.#close(newest, isIdle)) this.#close(newest, () => true);
    this.#onCrowded();
  }

  #close(newest: Socket, may: (response: ServerResponse | null) => boolean): boolean {
    const wanted = Math.ceil(this.#max * closedShare);
    let left = wanted;
    for (const [socket, response] of this.#open) {
      if (left === 0) break;
      if (socket === newest || !may(response)) continue;
      this.#open.delete(socket);
      socket.destroy();
      left--;
    }
    return left < wanted;
  }
}

/** No request, or one that has not arrived completely: slow senders give way, answers in progress do not. */
const isIdle = (response: ServerResponse | null) => !response?.req.complete;

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
