import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** The person named in the proxy's headers; null: nobody. */
export type Named = Readonly<Record<string, string>> | null;

/** A proxy that signs people in and adds headers with their identity. */
export interface SignInProxy {
  readonly origin: string;
  /** Sets the person from the next request on. */
  name(headers: Named): void;
  close(): void;
}

/**
 * Starts a local proxy in front of a server: it forwards everything and keeps the browser's `Host`.
 *
 * @param target origin of the server; evaluated for each request, so that the server may start later
 */
export async function startSignInProxy(target: () => string): Promise<SignInProxy> {
  let named: Named = null;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const passed = httpRequest(
      new URL(url ?? "/", target()),
      { method, headers: { ...headers, ...named } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name: (headers) => {
      named = headers;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
