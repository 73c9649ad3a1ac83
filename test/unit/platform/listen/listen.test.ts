import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeServers } from "@/lib/platform/listen/listen";
import { listen } from "@/test/support/listen";
import { sendRaw } from "@/test/support/raw-request";

let servers: Awaited<ReturnType<typeof listen>>;
let port: number;
beforeAll(async () => {
  servers = await listen(
    (request, response) => {
      request.resume().once("end", () => response.end("done"));
      if (Number(request.headers["content-length"] ?? 0) > 1_048_576) response.writeHead(413).end("too long");
    },
    { address: "127.0.0.1", port: 0, tls: null },
  );
  port = (servers[0]?.address() as AddressInfo).port;
});
afterAll(() => closeServers(servers, 0));

const head = (more: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

it.each(["h2c", "websocket", "x"])("finding B2: an offer of %s is ignored, and holds no connection", async (name) => {
  const offer = head(`Connection: Upgrade\r\nUpgrade: ${name}\r\nContent-Length: 2\r\n`);
  const { status, text } = await sendRaw(port, `${offer}{}`, false);
  expect([status, text.includes("done")]).toEqual([200, true]);
});

it("finding B2: a body that is announced as too long is refused before it is sent", async () => {
  const asks = (length: number) => head(`Expect: 100-continue\r\nContent-Length: ${length}\r\n`);
  const refused = await sendRaw(port, asks(1_048_577), false);
  expect([refused.status, refused.text.includes("too long")]).toEqual([413, true]);
  const last = head("Connection: close\r\nContent-Length: 0\r\n");
  const taken = await sendRaw(port, `${asks(2)}{}${last}`, false);
  expect(taken.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

it("F4: says which port is taken, by whoever listens, and which address is none of this machine", async () => {
  const options = { address: "127.0.0.1", tls: null };
  await expect(listen(() => undefined, { ...options, port })).rejects.toThrow(
    `Port ${port} is taken by another process: set POLICY_SERVER_PORT to a free one`,
  );
  await expect(listen(() => undefined, { ...options, address: "192.0.2.1", port: 0 })).rejects.toThrow(
    "LISTEN_ADDRESS is not an address of this machine",
  );
});

it("N8a: connections that cannot be accepted, for want of descriptors, end nothing", async () => {
  for (const code of ["EMFILE", "ENFILE"]) servers[0]?.emit("error", new Error(`accept ${code}`));
  expect((await sendRaw(port, head("Connection: close\r\nContent-Length: 0\r\n"))).status).toBe(200);
});
