/**
 * A proxy for several instances: checks the readiness of each every second, and forwards requests to ready ones in turn,
 * without retries. A separate program whose arguments are the instances' ports. It sends its own port to its parent.
 */
import { Agent, createServer, get, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Instance {
  readonly port: number;
  isReady: boolean;
}

const instances: Instance[] = process.argv.slice(2).map((port) => ({ port: Number(port), isReady: false }));
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
let turn = 0;

function look(instance: Instance): void {
  const options = { host: "127.0.0.1", port: instance.port, path: "/health/ready", agent: false, timeout: 900 };
  const asked = get(options, (answer) => {
    instance.isReady = answer.statusCode === 200;
    answer.resume();
    answer.on("error", () => undefined);
  });
  asked.on("timeout", () => asked.destroy(new Error("no answer")));
  asked.on("error", () => {
    instance.isReady = false;
  });
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const ready = instances.filter(({ isReady }) => isReady);
  const instance = ready[turn++ % ready.length];
  if (instance === undefined) {
    outgoing.writeHead(502).end("nobody is ready");
    return;
  }
  const { connection: _, ...headers } = incoming.headers;
  const options = { host: "127.0.0.1", port: instance.port, path: incoming.url, method: incoming.method, agent };
  const forwarded = { ...headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "" };
  const passed = request({ ...options, headers: forwarded }, (answer) => {
    const { connection: __, "keep-alive": ___, ...answered } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  passed.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end("lost");
  });
  incoming.pipe(passed);
}

const server = createServer({ keepAliveTimeout: 60_000 }, pass);
server.listen(0, "127.0.0.1", () => {
  for (const instance of instances) look(instance);
  setInterval(() => instances.forEach(look), 1_000);
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once("disconnect", () => process.exit(0));
