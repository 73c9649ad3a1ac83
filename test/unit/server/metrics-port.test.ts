import type { Server } from "node:http";
import { request } from "node:http";
import { afterEach, expect, it } from "vitest";
import { closeServers } from "@/lib/platform/listen/listen";
import { openMetricsPort } from "@/server/metrics-port";

let servers: Server[] = [];
afterEach(() => closeServers(servers, 0));
const metrics = { collect: () => Promise.resolve({ text: "up 1\n", contentType: "text/plain; version=0.0.4" }) };

async function open(collect = metrics.collect): Promise<number> {
  servers = await openMetricsPort({ port: 0, address: "127.0.0.1" }, { collect });
  const address = servers[0]?.address();
  return typeof address === "object" && address ? address.port : 0;
}
const ask = (port: number, { path = "/metrics", method = "GET", host = `127.0.0.1:${port}` } = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request({ port, path, method, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (part) => (text += String(part)));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    })
      .on("error", reject)
      .end();
  });

it("O3: the figures are there without a token, on this machine", async () => {
  const port = await open();
  expect(await ask(port)).toEqual({ status: 200, text: "up 1\n" });
  expect(servers[0]?.address()).toMatchObject({ address: "127.0.0.1" });
});

it("O3: nothing else is, and nothing can be sent", async () => {
  const port = await open();
  expect((await ask(port, { path: "/api/v1/about" })).status).toBe(404);
  expect((await ask(port, { method: "POST" })).status).toBe(405);
});

it("O3: a page of another site that resolves its name to this machine reads nothing", async () => {
  const port = await open();
  expect((await ask(port, { host: `evil.example:${port}` })).status).toBe(421);
});

it("O3: figures that cannot be collected are a failure, and the next ones come", async () => {
  let fails = true;
  const port = await open(() => (fails ? Promise.reject(new Error("away")) : metrics.collect()));
  expect((await ask(port)).status).toBe(500);
  fails = false;
  expect((await ask(port)).status).toBe(200);
});

it("O3: a port that is taken is named with the setting to change", async () => {
  const port = await open();
  await expect(openMetricsPort({ port, address: "127.0.0.1" }, metrics)).rejects.toThrow("set METRICS_PORT to");
});
