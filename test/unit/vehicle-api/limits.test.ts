import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Body, Clients } from "@/lib/vehicle-api/body-receiver";
import { closeServers } from "@/lib/platform/listen/listen";
import { listen } from "@/test/support/listen";
import { body, expectError, route, send, serveWorkedExample, timeout } from "@/test/support/worker-server";
import { sendRaw } from "@/test/support/raw-request";

const head = (length: number, more = "") =>
  `POST ${route} HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${length}\r\n\r\n`;

function slowVehicle(port: number, part = "{", length = body.length, more = "") {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(head(length, more) + part);
  return socket;
}

describe("N8: one client", () => {
  const answerOf = async (socket: Socket | undefined) => Buffer.concat((await socket?.toArray()) ?? []).toString();

  it("F9: its oldest incomplete body gives way to a new one, and never to a complete request", async () => {
    const { url, port, vehicleWorker, events } = await serveWorkedExample({
      limits: { maxPerClient: 2, undisturbedMs: 0 },
    });
    const add = async (count: number) => {
      const socket = slowVehicle(port, "{", body.length, "Connection: close\r\n");
      await expect.poll(() => vehicleWorker.figures().bodyBytes, timeout).toBe(count);
      return socket;
    };
    const [first, second] = [await add(1), await add(2)];
    expect((await send(url + route, { body })).status).toBe(200);
    expect(vehicleWorker.figures()).toMatchObject({ receiving: 2, clients: 1, refused: { client: 0 } });
    const third = slowVehicle(port, "{", body.length, "Connection: close\r\n");
    expect(await answerOf(first)).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*Connection: close/i);
    expect(events.map(({ status }) => status)).toEqual([200, 503]);
    expect(vehicleWorker.figures()).toMatchObject({ receiving: 2, clients: 1, refused: { client: 1 } });
    for (const socket of [third, second]) {
      socket.end(body.slice(1));
      expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
    await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject({ receiving: 0, clients: 0, bodyBytes: 0 });
  });

  it("F9: 64 withheld bodies of its address keep no vehicle out, and do not give way before their time", async () => {
    const { url, port, vehicleWorker } = await serveWorkedExample({ limits: { undisturbedMs: 1_000_000 } });
    const withheld = Array.from({ length: 64 }, () => slowVehicle(port));
    await expect.poll(() => vehicleWorker.figures().receiving, timeout).toBe(64);
    expect((await send(url + route, { body })).status).toBe(200);
    const slow = slowVehicle(port, "{", body.length, "Connection: close\r\n");
    await expect.poll(() => vehicleWorker.figures().receiving, timeout).toBe(65);
    slow.end(body.slice(1));
    expect(await answerOf(slow)).toMatch(/^HTTP\/1\.1 200 /);
    expect(vehicleWorker.figures().refused.client).toBe(0);
    // One that goes away without finishing no longer counts.
    withheld.forEach((socket) => socket.resetAndDestroy());
    await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject({ receiving: 0, clients: 0, bodyBytes: 0 });
  });

  it.each([
    ["headers and body together", (socket: Socket) => void socket.end(head(body.length) + body)],
    [
      "the body after the headers",
      (socket: Socket) => socket.write(head(body.length), () => setImmediate(() => socket.end(body))),
    ],
  ])("F9: 500 complete requests at once from one address are all answered: %s", async (_, ask) => {
    const { port, vehicleWorker } = await serveWorkedExample();
    const cars = Array.from({ length: 500 }, () => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.setNoDelay(true).once("connect", () => ask(socket));
      return socket;
    });
    const answers = await Promise.all(cars.map(answerOf));
    expect(answers.filter((answer) => !answer.startsWith("HTTP/1.1 200 "))).toEqual([]);
    expect(vehicleWorker.figures().refused.client).toBe(0);
  });

  it("N8: nothing is held of requests sent ahead of their answers once the connection is gone", async () => {
    const waiting: (() => void)[] = [];
    const encryptPolicyTable = () => new Promise<unknown>((resolve) => waiting.push(() => resolve({})));
    const { port, vehicleWorker } = await serveWorkedExample({ hooks: { encryptPolicyTable } });
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write((head(body.length) + body).repeat(20));
    await expect.poll(() => vehicleWorker.figures().waiting, timeout).toBe(20);
    socket.resetAndDestroy();
    waiting.forEach((resolve) => resolve());
    await expect
      .poll(() => vehicleWorker.figures(), timeout)
      .toMatchObject({ waiting: 0, clients: 0, unsentBytes: 0, bodyBytes: 0 });
  });

  it("N8: 0 is no limit", async () => {
    const { url, port, vehicleWorker } = await serveWorkedExample({ limits: { maxPerClient: 0 } });
    const slow = Array.from({ length: 100 }, () => slowVehicle(port));
    await expect.poll(() => vehicleWorker.figures().receiving, timeout).toBe(100);
    expect((await send(url + route, { body })).status).toBe(200);
    slow.forEach((socket) => socket.destroy());
  });

  it.each([
    [{ trustProxyAddresses: [] }, false],
    [{ trustProxyAddresses: ["127.0.0.0/8"] }, true],
    [{ trustProxyAddresses: ["10.0.0.0/8"] }, false],
  ])(
    "N8: behind the proxies %j the forwarded address counts only where they are declared",
    async (proxies, areBelieved) => {
      const { port, vehicleWorker } = await serveWorkedExample({
        limits: { maxPerClient: 1, undisturbedMs: 0 },
        proxies,
      });
      const slow: Socket[] = [];
      const stateAfter = async (address: string, state: object) => {
        slow.push(slowVehicle(port, "{", body.length, `X-Forwarded-For: ${address}\r\n`));
        await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject(state);
      };
      await stateAfter("192.0.2.1", { receiving: 1, refused: { client: 0 } });
      await stateAfter("192.0.2.2", areBelieved ? { receiving: 2 } : { receiving: 1, refused: { client: 1 } });
      await stateAfter("192.0.2.1", { receiving: areBelieved ? 2 : 1, refused: { client: areBelieved ? 1 : 2 } });
      expect(vehicleWorker.figures()).toMatchObject({ clients: areBelieved ? 2 : 1, undeclared: areBelieved ? 0 : 3 });
      slow.forEach((socket) => socket.destroy());
    },
  );

  it("F9: X-Forwarded-For from an address that is not a declared proxy is counted, and logged every ten minutes", () => {
    const lines: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void lines.push(line) };
    const clients = new Clients({ trustProxyAddresses: ["10.0.0.0/8"] }, logger);
    const ask = (remoteAddress: string, headers: Record<string, string>, now: number) =>
      clients.clientOf({ headers, socket: { remoteAddress } } as never, now);
    const forwarded = { "x-forwarded-for": "192.0.2.1" };
    expect([ask("10.0.0.1", forwarded, 0), ask("198.51.100.7", {}, 0)]).toEqual(["192.0.2.1", "198.51.100.7"]);
    expect([clients.undeclared, lines.length]).toEqual([0, 0]);
    for (const now of [1, 2, 600_000]) expect(ask("198.51.100.7", forwarded, now)).toBe("198.51.100.7");
    expect(lines).toEqual([[{ address: "198.51.100.7" }, expect.stringContaining("TRUST_PROXY_ADDRESSES")]]);
    ask("198.51.100.7", forwarded, 600_001);
    expect([clients.undeclared, lines.length]).toEqual([4, 2]);
  });

  it("N8: an IPv6 client is its /64", () => {
    const clients = new Clients({ trustProxyAddresses: [] });
    const of = (remoteAddress: string) => clients.clientOf({ headers: {}, socket: { remoteAddress } } as never, 0);
    expect(of("2001:db8::1")).toBe(of("2001:db8::ffff:2"));
    expect(of("2001:db8::1")).not.toBe(of("2001:db8:0:1::1"));
    expect(of("::ffff:192.0.2.1")).not.toBe(of("::ffff:192.0.2.2"));
  });
});

describe("N8: bytes", () => {
  it("N8: the longest bodies are given up when there is no room, not the short ones", async () => {
    const limits = { maxBodyBytes: 100_000, maxPerClient: 0 };
    const { url, port, vehicleWorker } = await serveWorkedExample({ limits });
    const short = slowVehicle(port, body.slice(0, 10), body.length, "Connection: close\r\n");
    const long = ["x".repeat(60_000), "x".repeat(50_000)].map((part) => slowVehicle(port, part, 1_000_000));
    const answers = long.map(async (socket) => Buffer.concat((await socket.toArray()) as Buffer[]).toString());
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1/);
    expect(vehicleWorker.figures().refused.bytes).toBe(1);
    expect(vehicleWorker.figures().bodyBytes).toBeLessThan(100_000);
    expect((await send(url + route, { body })).status).toBe(200);
    short.end(body.slice(10));
    expect(Buffer.concat((await short.toArray()) as Buffer[]).toString()).toMatch(/^HTTP\/1\.1 200 /);
    long.forEach((socket) => socket.destroy());
    await expect.poll(() => vehicleWorker.figures().bodyBytes, timeout).toBe(0);
  });

  it("N8: a body that comes byte by byte takes about its length of memory", () => {
    const room = { bytes: 0 };
    const made = new Body(room);
    const text = "0123456789".repeat(30_000);
    for (const byte of Buffer.from(text)) made.add(Buffer.of(byte));
    expect(made.content.toString()).toBe(text);
    expect([made.size <= 2 * text.length, room.bytes]).toEqual([true, made.size]);
    made.release();
    made.release();
    expect(room.bytes).toBe(0);
  });

  /** Asks many times ahead and reads nothing: a single answer fits into what the system keeps for a reader. */
  function askWithoutReading(port: number) {
    const reader = connect(port, "127.0.0.1").on("error", () => undefined);
    reader.pause().write((head(body.length) + body).repeat(2_000));
    return reader;
  }

  it("N8: who takes nothing of an answer is cut off", async () => {
    const { url, port, vehicleWorker } = await serveWorkedExample({ limits: { unsentMs: 500, maxPerClient: 0 } });
    const reader = askWithoutReading(port);
    await expect.poll(() => vehicleWorker.figures().unsentBytes, timeout).toBeGreaterThan(0);
    expect((await send(url + route, { body })).status).toBe(200);
    // Also without the end of the connection from its side.
    await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject({ unsentBytes: 0, clients: 0 });
    expect(vehicleWorker.figures().refused.unsent).toBe(0);
    reader.destroy();
  });

  it("N8: answers that nobody takes are bounded: the oldest go, and nobody else is refused", async () => {
    const limits = { maxUnsentBytes: 100_000, unsentMs: 1_000_000, maxPerClient: 0 };
    const { url, port, vehicleWorker } = await serveWorkedExample({ limits });
    const readers = [askWithoutReading(port), askWithoutReading(port)];
    await expect.poll(() => vehicleWorker.figures().refused.unsent, timeout).toBeGreaterThan(0);
    expect((await send(url + route, { body })).status).toBe(200);
    await expect.poll(() => vehicleWorker.figures().unsentBytes, timeout).toBeLessThanOrEqual(100_000);
    readers.forEach((reader) => reader.destroy());
    await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject({ unsentBytes: 0, clients: 0 });
  });
});

describe("N8: time", () => {
  it("N8: 408 for a body that does not come in time, however the rest of it trickles", async () => {
    const { port, vehicleWorker, events } = await serveWorkedExample({ limits: { bodyMs: 100 } });
    const slow = slowVehicle(port);
    const trickle = setInterval(() => slow.write(" "), 10);
    const answer = Buffer.concat((await slow.toArray()) as Buffer[]).toString();
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close/i);
    expect(events.map(({ status }) => status)).toEqual([408]);
    await expect.poll(() => vehicleWorker.figures(), timeout).toMatchObject({ receiving: 0, bodyBytes: 0, clients: 0 });
  });

  it("N8: a connection without headers ends after 10 s, with a part of them or with nothing", async () => {
    const servers = await listen((_, response) => response.end(), { address: "127.0.0.1", port: 0, tls: null });
    onTestFinished(async () => {
      await closeServers(servers, 0);
    });
    const { port } = servers[0]?.address() as AddressInfo;
    const answers = await Promise.all(["GET / HTTP/1.1\r\nHost: ", ""].map((part) => sendRaw(port, part, false)));
    expect(answers.map(({ status }) => status)).toEqual([408, 408]);
  });
});

it("N8: so many requests wait for a module for encryption, the rest is refused; slow senders do not count", async () => {
  const waiting: (() => void)[] = [];
  const encryptPolicyTable = (table: unknown) => new Promise<unknown>((resolve) => waiting.push(() => resolve(table)));
  const limits = { maxWaiting: 2, maxPerClient: 0 };
  const { url, port, vehicleWorker } = await serveWorkedExample({ hooks: { encryptPolicyTable }, limits });
  const slow = Array.from({ length: 5 }, () => slowVehicle(port));
  const asked = [1, 2].map(() => send(url + route, { body }));
  await expect.poll(() => vehicleWorker.figures().waiting, timeout).toBe(2);
  expectError(await send(url + route, { body }), 503, "Service unavailable");
  expect(vehicleWorker.figures().refused.waiting).toBe(1);
  waiting.forEach((resolve) => resolve());
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  expect(vehicleWorker.figures().waiting).toBe(0);
  slow.forEach((socket) => socket.destroy());
});
