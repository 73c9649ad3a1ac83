import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly headerNames: readonly string[];
  readonly body: string;
}

/** The response of a stub: an object is sent as JSON, a text unchanged, a function handles the request itself. */
export type StubAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | RequestListener;

export type HttpStub = Awaited<ReturnType<typeof serveHttp>>;

export async function serveHttp(answer: (request: SeenRequest, number: number) => StubAnswer) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname, search, searchParams } = new URL(request.url ?? "", "http://stub");
      const one: SeenRequest = {
        method: request.method ?? "",
        path: pathname,
        query: Object.fromEntries(searchParams),
        search,
        headers: request.headers,
        headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      const given = answer(one, seen.length - 1);
      if (typeof given === "function") {
        given(request, response);
        return;
      }
      const { status = 200, headers = {}, body = {} } = given;
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  running.add(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

const running = new Set<() => Promise<void>>();

export function endStubs(): void {
  afterEach(async () => {
    await Promise.all([...running].map((close) => close()));
    running.clear();
  });
}

export const envelope = (data: unknown, message: string | null = null) => ({
  meta: { request_id: "r", code: 200, message },
  data,
});
