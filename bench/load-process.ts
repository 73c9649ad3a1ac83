/**
 * Sends prepared bytes over raw sockets as fast as they are answered, so that it needs a fraction of the server's processor
 * time. Started by `bench/load.ts`, which sends the options; reports once, and ends.
 */
import { once } from "node:events";
import { connect } from "node:net";
import type { Generated, LoadOptions } from "@/bench/load";

const [{ url, bodies, isGzip, connections, seconds }] = (await once(process, "message")) as [LoadOptions];
const { hostname, port, pathname } = new URL(url);
const requests = bodies.map((body) => {
  const encoding = isGzip ? "Accept-Encoding: gzip\r\n" : "";
  const length = Buffer.byteLength(body);
  const headers = `Host: ${hostname}\r\nContent-Type: application/json\r\n${encoding}Content-Length: ${length}\r\n\r\n`;
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${headers}${body}`);
});
/** One for all connections: it is read before the next data arrive. */
const received = Buffer.allocUnsafe(262_144);
const lastChunk = "\r\n0\r\n\r\n";
const latencies: number[] = [];
let failed = 0;
let isOver = false;

const begin = performance.now();
const before = process.cpuUsage();
for (let first = 0; first < connections; first++) open(first);
setTimeout(() => {
  isOver = true;
  const { user, system } = process.cpuUsage(before);
  const result: Generated = { latencies, failed, cpu: (user + system) / 1000, elapsed: performance.now() - begin };
  process.send?.(result, () => process.exit(0));
}, seconds * 1000);

/** Sends one request after the other over a connection, which is replaced if it ends. */
function open(first: number): void {
  let next = first;
  let sentAt = 0;
  /** Bytes that the response still lacks: null before its headers, Infinity until its last chunk. */
  let left: number | null = null;
  /** The end of what a chunked response has sent: its last chunk may come in parts. */
  let tail = "";
  let isGood = false;
  const socket = connect({
    ...{ host: hostname, port: Number(port), noDelay: true },
    onread: {
      buffer: received,
      callback: (size) => {
        take(size);
        return !isOver;
      },
    },
  });
  socket.once("connect", ask);
  socket.once("error", () => socket.destroy());
  socket.once("close", () => {
    if (isOver) return;
    failed++;
    open(next);
  });

  function ask(): void {
    sentAt = performance.now();
    left = null;
    socket.write(requests[next++ % requests.length] ?? "");
  }

  function take(size: number): void {
    if (isOver) return;
    let from = 0;
    if (left === null) {
      // Servers write them at once.
      from = received.indexOf("\r\n\r\n") + 4;
      const headers = received.toString("latin1", 0, from);
      isGood = headers.startsWith("HTTP/1.1 2");
      left = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? Infinity);
      tail = "\r\n";
    }
    if (left === Infinity) {
      const last = received.toString("latin1", Math.max(from, size - lastChunk.length), size);
      tail = (tail + last).slice(-lastChunk.length);
      if (tail === lastChunk) left = 0;
    } else left -= size - from;
    if (left > 0) return;
    if (isGood) latencies.push(performance.now() - sentAt);
    else failed++;
    ask();
  }
}
