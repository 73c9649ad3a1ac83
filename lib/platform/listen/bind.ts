import net, { isIPv6 } from "node:net";
import { getSystemErrorName } from "node:util";

/** A socket bound to a port. It opens once a process listens, and stays open as long as a process holds it. */
export interface BoundSocket {
  /** Fills in the bound address. Returns 0, or an error number. */
  getsockname(into: { port?: number }): number;
  close(): void;
}

export interface Place {
  readonly address: string | null;
  readonly port: number;
}

/* node:cluster binds its shared sockets with this; a `net.Server` cannot bind without accepting connections. */
const { _createServerHandle: bind } = net as unknown as {
  readonly _createServerHandle: (address: string | null, port: number, family: 4 | 6) => BoundSocket | number;
};

/** Binds a socket to a port without listening. Throws one sentence if the port or address is unusable. */
export function bindPort({ address, port }: Place): BoundSocket {
  const socket = bind(address, port, address !== null && isIPv6(address) ? 6 : 4);
  if (typeof socket === "number") throw new Error(explainPort(getSystemErrorName(socket), port));
  // libuv delays the error for a taken port until `listen`, and would then listen on another port.
  const at: { port?: number } = {};
  if (socket.getsockname(at) === 0 && (port === 0 || at.port === port)) return socket;
  socket.close();
  throw new Error(explainPort("EADDRINUSE", port));
}

export function explainPort(code: string, port: number): string {
  if (code === "EADDRINUSE") return `Port ${port} is taken by another process: set POLICY_SERVER_PORT to a free one`;
  if (code === "EACCES") return `This user may not listen on port ${port}`;
  if (code === "EADDRNOTAVAIL") return "LISTEN_ADDRESS is not an address of this machine";
  return `Cannot listen on port ${port}: ${code}`;
}
