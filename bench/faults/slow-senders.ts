import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { carsTo, causes, endLater, stage, type Row } from "@/bench/faults/stage";

const senders = 1_000;

/** Rule N9: 1,000 connections whose bodies never arrive, next to cars whose bodies arrive late. */
export async function measureSlowSenders({ report, isShort }: Row) {
  const seconds = isShort ? 5 : 40;
  const server = await stage();
  const slow = startSlowSenders(Number(new URL(server.origin).port));
  endLater(() => slow.stop());
  while (slow.open() < senders) await wait(20);
  const cars = await carsTo(server.origin, { bodyAfterMs: [200, 2_000] });
  await wait(seconds * 1000);
  const result = await cars.stop();
  const refused = slow.stop();
  await server.stop();
  report.must(`${senders} slow senders beside 200 real cars/s: cars refused`, result.failed, "≤", 0);
  report.table(
    `${senders} senders of one byte, and 200 cars a second whose bodies come 0.2 to 2 s after the headers`,
    ["seconds", "cars", "failed", "why", "p99 ms", "slowest ms", "slow ones cut off"],
    [[seconds, result.sent, result.failed, causes(result.failures), result.p99, result.slowest, refused]],
  );
  return { failed: result.failed, sent: result.sent };
}

/** Keeps their number constant: each one that is disconnected reconnects. */
function startSlowSenders(port: number) {
  const sockets = new Set<Socket>();
  let open = 0;
  let cutOff = 0;
  let isOver = false;
  const add = (number: number) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.1.${number % 250}.${1 + (number >> 8)}` });
    sockets.add(socket);
    socket.once("connect", () => {
      open++;
      socket.write("POST /api/v1/production/policy HTTP/1.1\r\nHost: slow\r\nContent-Length: 1000\r\n\r\n{");
      socket.once("close", () => open--);
    });
    socket.on("error", () => undefined);
    socket.resume();
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOver) return;
      cutOff++;
      setTimeout(() => !isOver && add(number), 10);
    });
  };
  for (let number = 0; number < senders; number++) add(number);
  return {
    open: () => open,
    stop(): number {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      return cutOff;
    },
  };
}
