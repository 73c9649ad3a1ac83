import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { Lane, policyRouteOf, type LaneEvent, type LaneOptions } from "@/lib/policy/lane";

/** A vehicle lane behind a real HTTP server on a free port, closed when the test ends. */
export async function startLane(options: Partial<LaneOptions> = {}) {
  const events: LaneEvent[] = [];
  const lane = new Lane({
    policy: () => null,
    hooks: {},
    headers: { "X-Content-Type-Options": "nosniff" },
    mostAtOnce: 50,
    observe: (event) => events.push(event),
    ...options,
  });
  const server = createServer((incoming, response) => {
    const environment = policyRouteOf(incoming.url ?? "");
    if (environment) lane.handle(incoming, response, environment);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { lane, server, events, port, url: `http://127.0.0.1:${port}` };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request on a connection of its own; the answer's body stays as it was sent. */
export function send(
  url: string,
  {
    method = "POST",
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (answered) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answered }),
        reject,
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The JSON of an answer that was not compressed. */
export function jsonOf({ body }: HttpAnswer): any {
  return JSON.parse(body.toString());
}
