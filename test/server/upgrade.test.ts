import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareOf } from "@/test/support/extent";
import { startServer, type TestServer } from "@/test/support/server";
import { sampleRequest } from "@/test/support/vehicle";
import { sendRaw } from "@/test/support/raw-request";

/* What a client offers or asks before its request proper: `Upgrade` and `Expect`. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n";
const webSocket =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
const request = (line: string, headers: string, body = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
/** Ends the connection. */
const last = "GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

describe("finding B2: a request that offers an upgrade is answered as if it did not", () => {
  it.each([
    ["HTTP/2", h2c],
    ["WebSocket", webSocket],
    ["nothing known", "Connection: upgrade\r\nUpgrade: x\r\n"],
  ])("%s", async (_, offer) => {
    for (const [line, status] of [
      ["GET /applications", 200],
      ["GET /api/v1/about", 200],
      ["GET /health", 200],
      ["GET /_next/webpack-hmr", 404],
      ["GET /no-such-file.js", 404],
    ] as const) {
      // Ends when the server has closed the connection.
      const answer = await sendRaw(server.port, request(line, offer), false);
      expect([line, answer.status]).toEqual([line, status]);
    }
    const body = sampleRequest("1-app");
    const vehicle = await sendRaw(server.port, request("POST /api/v1/production/policy", offer, body), false);
    expect([vehicle.status, vehicle.text.includes('"policy_table"')]).toEqual([200, true]);
    const write = await sendRaw(server.port, request("POST /api/v1/groups/promote", offer, '{"id":[]}'), false);
    expect(write.status).toBe(200);
  });

  it("holds no connection for it", async () => {
    const sockets: Socket[] = [];
    const answer = () => {
      const socket = connect(server.port, "127.0.0.1");
      sockets.push(socket);
      return new Promise((resolve) => {
        socket.once("data", (chunk) => resolve(chunk.toString("latin1").slice(0, 12)));
        socket.once("error", resolve);
        socket.write(request("GET /version", webSocket));
      });
    };
    // All stay open, but few wait at once: a busy machine refuses some of too many.
    for (let batch = 0; batch < 15; batch++)
      expect(new Set(await Promise.all(Array.from({ length: 20 }, answer)))).toEqual(new Set(["HTTP/1.1 200"]));
    sockets.forEach((socket) => socket.destroy());
  });
});

describe("finding B2: Expect: 100-continue", () => {
  const expecting = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

  it.each(["/api/v1/production/policy", "/api/v1/groups", "/api/v1/login", "/applications"])(
    "%s refuses a body that is too long before it is sent",
    async (path) => {
      const { status, text } = await sendRaw(server.port, expecting(path, 1_048_577), false);
      expect([status, text.includes("100 Continue")]).toEqual([413, false]);
      expect(JSON.parse(text.slice(text.indexOf("{"))).meta.code).toBe(413);
    },
  );

  it.each(["/api/v1/production/policy", "/api/v1/groups"])("%s asks for any other", async (path) => {
    const bytes = `${expecting(path, 2)}{}${last}`;
    const { text } = await sendRaw(server.port, bytes, false);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });
});

describe("finding B13: what the framework cannot read of its own headers", () => {
  const unreadable = [
    ["Next-Router-State-Tree", "x"],
    ["Next-Router-State-Tree", "%5B%22%22%2C1%5D"],
    ["Next-Router-Prefetch", "x"],
    ["Next-Router-Segment-Prefetch", "/x"],
    ["Next-Url", "%"],
    ["Next-HMR-Refresh", "1"],
    ["Next-Action", "x"],
  ] as const;
  const requests = ["/about", "/login", "/no-such-page"].flatMap((path) =>
    [{}, { rsc: "1" }].flatMap((rsc) => ["GET", "POST"].map((method) => [path, rsc, method] as const)),
  );
  it.each(unreadable.map(([name, value], place) => ({ name, value, place })))(
    "$name: $value is no failure",
    async ({ name, value, place }) => {
      for (const [path, rsc, method] of shareOf(requests, place)) {
        const answer = await fetch(server.origin + path, { method, headers: { [name]: value, ...rsc } });
        expect([method, path, answer.status], await answer.text()).not.toEqual([method, path, 500]);
      }
      expect(server.log().filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  it("the log holds one line of JSON for each event", async () => {
    await server.stop();
    const lines = server.output().filter((line) => line !== "");
    const first = lines.findIndex((line) => line.includes('"listening"'));
    expect(first).toBeGreaterThan(-1);
    expect(lines.slice(first).filter((line) => !line.startsWith("{"))).toEqual([]);
  });
});
