import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Asked {
  /** `CONNECT` for a tunnel, otherwise the method of the request. */
  readonly method: string;
  /** Host and port of a tunnel, otherwise the whole URL. */
  readonly target: string;
  readonly authorization: string | undefined;
}

export interface ForwardProxyOptions {
  /** The local port that everything is forwarded to, whatever the requested host. */
  readonly port: number;
  readonly status?: number;
  readonly isSilent?: boolean;
}

export async function startForwardProxy({ port: to, status, isSilent = false }: ForwardProxyOptions) {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const note = (method: string, target: string, authorization: string | undefined) =>
    void asked.push({ method, target, authorization });
  const server = createServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    note(method, url, headers["proxy-authorization"]);
    if (status !== undefined) {
      response.writeHead(status).end();
      return;
    }
    const { pathname, search, host } = new URL(url);
    const onward = { ...headers, host };
    const outgoing = request(
      { host: "127.0.0.1", port: to, method, path: pathname + search, headers: onward },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on("connect", ({ url = "", headers }, client, head: Buffer) => {
    note("CONNECT", url, headers["proxy-authorization"]);
    if (isSilent) return;
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(to, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { asked, port, url: `http://127.0.0.1:${port}` };
}
