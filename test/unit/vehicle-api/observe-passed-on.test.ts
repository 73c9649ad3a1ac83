import { get } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startGateway } from "@/test/support/gateway";
import { send, timeout } from "@/test/support/worker-server";

async function start(...[handler, options]: Parameters<typeof startGateway>) {
  const told: { status: number | null; milliseconds: number }[] = [];
  const observePassedOn = (status: number | null, milliseconds: number) => void told.push({ status, milliseconds });
  const gateway = await startGateway(handler, { ...options, observePassedOn });
  return { ...gateway, told, statuses: () => told.map(({ status }) => status) };
}

describe("N6: a request that was passed on is told once, when it is over", () => {
  it("N6: with the status of the console's answer and the time until it was sent", async () => {
    let answer = (): void => undefined;
    let seen = Number.NaN;
    const { url, told, statuses } = await start((_, response) => {
      seen = performance.now();
      answer = () => response.writeHead(404).end();
    });
    const asked = send(url, { method: "GET" });
    await expect.poll(() => seen, timeout).toBeGreaterThan(0);
    expect(told).toEqual([]);
    const least = performance.now() - seen;
    answer();
    await asked;
    await expect.poll(statuses, timeout).toEqual([404]);
    expect(told[0]?.milliseconds).toBeGreaterThanOrEqual(least);
  });

  it("N6: with the status of the vehicle worker's own answer where the console gave none", async () => {
    const { url, kill, statuses } = await start((_, response) => response.end("ok"), { timeoutMs: 20 });
    await send(url, { method: "GET" });
    await send(url, { body: "x".repeat(1_048_577) });
    await kill();
    await send(url, { method: "GET" });
    await expect.poll(statuses, timeout).toEqual([200, 413, 503]);
  });

  it("N6: without a status when its client went away before an answer began, each of those sent ahead as well", async () => {
    const { url, port, gateway, statuses } = await start((request, response) => {
      if (request.url === "/begin") response.write("half");
    });
    const first = get(url).on("error", () => undefined);
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(1);
    first.destroy();
    await expect.poll(statuses, timeout).toEqual([null]);

    const sender = connect(port, "127.0.0.1");
    sender.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
    await expect.poll(() => gateway.figures().bodyBytes, timeout).toBe(1);
    sender.resetAndDestroy();
    await expect.poll(statuses, timeout).toEqual([null, null]);

    const ahead = connect(port, "127.0.0.1");
    ahead.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(3);
    ahead.resetAndDestroy();
    await expect.poll(statuses, timeout).toEqual([null, null, null, null, null]);

    const reader = get(`${url}/begin`, (answer) => {
      answer.on("error", () => undefined);
      reader.destroy();
    });
    await expect.poll(() => statuses().slice(5), timeout).toEqual([200]);
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(0);
    expect(statuses()).toHaveLength(6);
  });
});
