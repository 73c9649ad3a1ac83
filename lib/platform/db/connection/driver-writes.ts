import { Connection, type WritingConnection } from "mongodb/lib/cmap/connection.js";
import { processGlobal } from "@/lib/platform/process-globals";

const mended = processGlobal("driver-writes", () => ({ isMended: false }));

/**
 * Lets a write of the MongoDB driver end with its connection (ADR 43). The driver (7.8) waits for "drain" when a socket
 * takes no more bytes; one that was destroyed never says it, and the command, with the transaction it belongs to, would
 * wait for ever: no time limit of the driver ends that wait. Once for the process; later calls do nothing.
 */
export function mendDriverWrites(): void {
  if (mended.isMended) return;
  mended.isMended = true;
  const write = Connection.prototype.writeCommand;
  Connection.prototype.writeCommand = function (this: WritingConnection, command: unknown, options: unknown) {
    return untilClosed(this, write.call(this, command, options));
  };
}

/** Rejects as the connection's other work does when it closes before the write has ended. */
async function untilClosed(connection: WritingConnection, writing: Promise<unknown>): Promise<unknown> {
  let tell = (): void => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    tell = () => reject(connection.error ?? new Error("the connection was closed"));
  });
  connection.once("close", tell);
  // What it was closed for may have been told before anybody listened.
  if (connection.closed) tell();
  try {
    return await Promise.race([writing, closed]);
  } finally {
    connection.off("close", tell);
  }
}
