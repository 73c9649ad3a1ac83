import { connect } from "node:net";

/**
 * On a separate socket, because no client would send malformed requests; `isHalf` ends the stream right after the bytes.
 * The status is null if the connection was closed without a response.
 */
export function sendRaw(port: number, bytes: string | Uint8Array, isHalf = true) {
  return new Promise<{ readonly status: number | null; readonly text: string }>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    // The server may close the connection while something is still being sent.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? null : Number(status), text });
    });
    socket.write(bytes);
    if (isHalf) socket.end();
  });
}

export const rawHead = (line: string, headers = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
