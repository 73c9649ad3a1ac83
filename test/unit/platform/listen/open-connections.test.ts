import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { OpenConnections } from "@/lib/platform/listen/open-connections";
import { shareDescriptors } from "@/lib/vehicle-api/limits";
import { listenToEnd } from "@/test/support/listen";
import { patiently as timeout } from "@/test/support/patience.mjs";

const head = "HTTP/1.1\r\nHost: a\r\n";

async function startServer(connections = new OpenConnections(), handler?: RequestListener) {
  const server = createServer((request, response) => {
    connections.begin(request.socket, response);
    if (handler) handler(request, response);
    else response.end("ok");
  });
  connections.follow(server);
  return { server, connections, port: await listenToEnd(server) };
}

it("N12: a connection on which nothing comes is closed", async () => {
  const { server, connections, port } = await startServer();
  const accepted = once(server, "connection");
  const client = connect(port, "127.0.0.1").resume();
  await accepted;
  const closed = once(client, "close");
  await connections.closeUnused();
  await closed;
});

it("N12: a request that has come, and was not read yet when the stop began, is answered", async () => {
  const { server, connections, port } = await startServer();
  // Nothing of it has been read when its connection is made known.
  server.on("connection", () => void connections.closeUnused());
  const client = connect(port, "127.0.0.1");
  client.end(`GET / ${head}\r\n`);
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK[^]*ok$/);
});

it("N8a: beyond the limit, whoever has made no progress for the longest is closed, and no answer in progress is", async () => {
  const onCrowded = vi.fn();
  const held: (() => void)[] = [];
  const { port } = await startServer(new OpenConnections(4, onCrowded), (request, response) => {
    if (request.url === "/hold") held.push(() => response.end("ok"));
    else if (request.url === "/") response.end("ok");
  });
  const closed: string[] = [];
  const open = async (name: string, sent: string, isAnswered: () => boolean = () => true): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.once("close", () => closed.push(name));
    let got = "";
    socket.on("data", (piece: Buffer) => (got += piece.toString()));
    await once(socket, "connect");
    socket.write(sent);
    if (sent.startsWith("GET / ")) await vi.waitFor(() => expect(got).toContain("ok"), timeout);
    await vi.waitFor(() => expect(isAnswered()).toBe(true), timeout);
    return socket;
  };
  await open("held", `GET /hold ${head}\r\n`, () => held.length === 1);
  await open("slow", `POST /slow ${head}Content-Length: 9\r\n\r\n{`);
  const kept = await open("kept", `GET / ${head}\r\n`);
  await open("idle", `GET / ${head}\r\n`);
  kept.write(`GET / ${head}\r\n`);
  await open("car 1", `GET / ${head}\r\n`);
  await open("car 2", `GET / ${head}\r\n`);
  await vi.waitFor(() => expect(closed).toEqual(["slow", "idle"]), timeout);
  expect(onCrowded).toHaveBeenCalledTimes(2);
  // If all of them are being answered, the oldest gives way to a newcomer.
  for (const count of [2, 3, 4, 5]) await open(`held ${count}`, `GET /hold ${head}\r\n`, () => held.length === count);
  await vi.waitFor(
    () => expect(closed.toSorted()).toEqual(["car 1", "car 2", "held", "idle", "kept", "slow"]),
    timeout,
  );
  held.forEach((end) => end());
});

it.each([
  [null, { connections: Infinity, consoleRequests: 64, slowClients: 1_024 }],
  [65_536, { connections: 64_384, consoleRequests: 64, slowClients: 1_024 }],
  [1_024, { connections: 768, consoleRequests: 64, slowClients: 128 }],
  [256, { connections: 128, consoleRequests: 32, slowClients: 32 }],
  [64, { connections: 8, consoleRequests: 8, slowClients: 8 }],
])("N8a: of %s descriptors, a vehicle worker keeps a reserve", (limit, share) => {
  expect(shareDescriptors(limit, 64)).toEqual(share);
});
