import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Follows the connections of a server on which nothing has come yet: browsers open some in advance. `closeIdleConnections`
 * leaves them alone, so that a stop would wait for them.
 *
 * @returns closes those there are
 */
export function followUnusedConnections(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  const follow = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  };
  server.on("connection", follow);
  // With TLS the handshake comes first: what is read there belongs to no request.
  server.on("secureConnection", follow);
  return async () => {
    // A request that has come already, and only waits to be read, is read in the next turn.
    await nextTurn();
    await nextTurn();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
