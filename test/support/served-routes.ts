import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll } from "vitest";
import { routeMethods } from "@/test/support/route-calls";

/** Without what precedes the routes in a real server; returns its URL. */
export async function serveRoutes(): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
      const found = routeMethods.find(({ method, path }) => method === request.method && path === url.pathname);
      if (found === undefined)
        return response.writeHead(404).end('{"meta":{"code":404,"message":"Not found"},"data":{}}');
      const headers = new Headers(request.headers as Record<string, string>);
      const body = request.method === "GET" ? {} : { body: await buffer(request) };
      const answer = await found.handler(new Request(url, { method: request.method ?? "GET", headers, ...body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      Readable.from(answer.body ?? []).pipe(response);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}
