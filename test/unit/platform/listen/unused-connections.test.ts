import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { followUnusedConnections } from "@/lib/platform/listen/listen";
import { listenToEnd } from "@/test/support/listen";

async function startServer() {
  const server = createServer((_request, response) => response.end("ok"));
  const closeUnused = followUnusedConnections(server);
  return { server, closeUnused, port: await listenToEnd(server) };
}

it("N12: a connection on which nothing comes is closed", async () => {
  const { server, closeUnused, port } = await startServer();
  const accepted = once(server, "connection");
  const client = connect(port, "127.0.0.1").resume();
  await accepted;
  const closed = once(client, "close");
  await closeUnused();
  await closed;
});

it("N12: a request that has come, and was not read yet when the stop began, is answered", async () => {
  const { server, closeUnused, port } = await startServer();
  // Nothing of it has been read when its connection is made known.
  server.on("connection", () => void closeUnused());
  const client = connect(port, "127.0.0.1");
  client.end("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK[^]*ok$/);
});
