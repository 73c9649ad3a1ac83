import net, { isIPv6 } from "node:net";
import { getSystemErrorName } from "node:util";

/** A socket bound to a port, which opens once somebody listens and stays open as long as a process holds it. */
export interface BoundSocket {
  /** Fills in where it is bound to; returns 0, or the number of an error. */
  getsockname(into: { port?: number }): number;
  close(): void;
}

/** What the settings are called, for who has to change them. */
export interface SettingNames {
  readonly port: string;
  readonly address: string;
}
const usualNames: SettingNames = { port: "POLICY_SERVER_PORT", address: "LISTEN_ADDRESS" };

export interface Place {
  /** Null: every address of the host. */
  readonly address: string | null;
  readonly port: number;
  readonly names?: SettingNames;
}

/* What node:cluster binds shared sockets with: a `net.Server` cannot be bound without accepting connections. */
const { _createServerHandle: bind } = net as unknown as {
  readonly _createServerHandle: (address: string | null, port: number, family: 4 | 6) => BoundSocket | number;
};

/** Binds a socket to a port without listening. Throws one sentence when the port or address cannot be used. */
export function bindPort({ address, port, names }: Place): BoundSocket {
  const socket = bind(address, port, address !== null && isIPv6(address) ? 6 : 4);
  if (typeof socket === "number") throw new Error(explainPort(getSystemErrorName(socket), port, names));
  // That a port is taken is kept back until somebody listens, and that would be on another port.
  const at: { port?: number } = {};
  if (socket.getsockname(at) === 0 && (port === 0 || at.port === port)) return socket;
  socket.close();
  throw new Error(explainPort("EADDRINUSE", port, names));
}

export function explainPort(code: string, port: number, names: SettingNames = usualNames): string {
  if (code === "EADDRINUSE") return `Port ${port} is taken by another process: set ${names.port} to a free one`;
  if (code === "EACCES") return `This user may not listen on port ${port}`;
  if (code === "EADDRNOTAVAIL") return `${names.address} is not an address of this machine`;
  return `Cannot listen on port ${port}: ${code}`;
}
