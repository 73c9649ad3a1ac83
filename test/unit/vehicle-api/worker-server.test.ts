import { request } from "node:http";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { GET as health } from "@/app/health/route";
import { GET as ready } from "@/app/health/ready/route";
import { startVehicleWorkerServer } from "@/lib/vehicle-api/worker-server";
import { bindPorts } from "@/test/support/listen";
import { log } from "@/lib/platform/log";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { startConsole } from "@/test/support/gateway";
import { body, jsonOf, route, send, timeout, workedPolicies } from "@/test/support/worker-server";

const none = { staging: 0, production: 0 };
const serving: RuntimeStatus = {
  ...{ state: "ready", revision: 7, builtAt: Date.now() - 5_000, confirmedAt: Date.now() - 2_000, apps: 1 },
  ...{ groups: none, messages: none, database: "embedded", lastError: null, unexpectedDatabase: null },
};

async function start({ status = serving }: { status?: RuntimeStatus | null } = {}) {
  const policies = await workedPolicies();
  const state = { isDraining: false, hold: (): void => undefined };
  const passedOn: (number | null)[] = [];
  const behind = await startConsole((incoming, response) => {
    if (incoming.url === "/hold") state.hold = () => response.end("late");
    else response.end(`console ${incoming.method} ${incoming.url}`);
  });
  const server = await startVehicleWorkerServer({
    settings: {
      ...{ tls: null, trustProxyAddresses: [] },
      ...{ authUserHeader: null },
    },
    ports: await bindPorts({ address: "127.0.0.1", port: 0, tls: null }),
    policy: (environment) => policies[environment],
    hooks: {},
    observe: () => undefined,
    observePassedOn: (answered) => void passedOn.push(answered),
    status: () => status,
    console: behind.address,
    isDraining: () => state.isDraining,
  });
  onTestFinished(async () => {
    await server.stop(0);
  });
  const port = server.ports[0] ?? 0;
  return { ...behind, server, state, passedOn, port, url: `http://127.0.0.1:${port}` };
}

describe("who answers what", () => {
  it("N2: vehicles by the vehicle worker, everything else by the console", async () => {
    const { url, server, kill } = await start();
    expect((await send(url + route, { body })).status).toBe(200);
    expect((await send(`${url}/api/v1/groups?x=1`, { method: "GET" })).body.toString()).toBe(
      "console GET /api/v1/groups?x=1",
    );
    // No head unit compresses; whoever does is answered all the same.
    const headers = { "Content-Encoding": "gzip" };
    expect((await send(url + route, { body, headers })).body.toString()).toBe(`console POST ${route}`);
    expect(server.figures()).toMatchObject({ vehicles: { receiving: 0 }, console: { passedOn: 2 } });
    await kill();
    expect((await send(url + route, { body })).status).toBe(200);
    expect((await send(`${url}/health/ready`, { method: "GET" })).status).toBe(200);
  });

  it("N6: only what is passed on is told as passed on", async () => {
    const { url, passedOn, kill } = await start();
    await send(url + route, { body });
    await send(`${url}/health`, { method: "GET" });
    await send(`${url}/api/v1/groups`, { method: "GET" });
    await kill();
    await send(`${url}/api/v1/groups`, { body: "x".repeat(1_048_577) });
    await expect.poll(() => passedOn, timeout).toEqual([200, 413]);
  });

  it.each(["/health", "/health/", "/health?x=1", "/health/ready", "/health/ready/", "/health/ready?x"])(
    "%s is answered by the vehicle worker as by its route",
    async (path) => {
      const { url, kill } = await start({ status: null });
      await kill();
      const answer = await send(url + path, { method: "GET" });
      const expected = await (path.includes("ready") ? ready : health)(new Request("http://localhost"), {} as never);
      expect([answer.status, answer.body.toString()]).toEqual([expected.status, await expected.text()]);
      for (const [name, value] of expected.headers) expect([name, answer.headers[name]]).toEqual([name, value]);
      const short = await send(url + path, { method: "HEAD" });
      expect([short.status, short.body.length]).toEqual([expected.status, 0]);
    },
  );

  it("readiness tells the revision; other methods and paths are the console's", async () => {
    const { url } = await start();
    expect(jsonOf(await send(`${url}/health/ready`, { method: "GET" }))).toEqual({
      ...{ state: "ready", revision: 7 },
      ...{ policy_age_seconds: expect.any(Number), policy_confirmed_age_seconds: expect.any(Number) },
      unexpected_database: false,
    });
    for (const [method, path] of [
      ["POST", "/health"],
      ["DELETE", "/health/ready"],
      ["GET", "/health/x"],
      ["GET", "/healthy"],
    ] as const)
      expect((await send(url + path, { method })).body.toString()).toBe(`console ${method} ${path}`);
  });
});

describe("N12: stopping", () => {
  it("N12: readiness turns 503 and every answer closes its connection, also one that was asked for before", async () => {
    const { url, state } = await start();
    const early = new Promise<string | undefined>((resolve, reject) => {
      const asked = request(`${url}/hold`, { headers: { Connection: "keep-alive" } }, (answer) => {
        answer.resume();
        resolve(answer.headers.connection);
      });
      asked.on("error", reject).end();
    });
    const hold = state.hold;
    await expect.poll(() => state.hold, timeout).not.toBe(hold);
    const asks = (path: string, method = "GET") =>
      send(url + path, { method, headers: { Connection: "keep-alive" }, ...(method === "POST" ? { body } : {}) });
    expect((await asks(route, "POST")).headers.connection).toBe("keep-alive");
    state.isDraining = true;
    state.hold();
    expect(await early).toBe("close");
    const answers = [await asks(route, "POST"), await asks(route, "OPTIONS"), await asks("/x"), await asks("/health")];
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      ...[
        [200, "close"],
        [204, "close"],
        [200, "close"],
        [200, "close"],
      ],
    ]);
    const readiness = await asks("/health/ready");
    expect([readiness.status, readiness.headers["retry-after"], readiness.headers.connection]).toEqual([
      503,
      "5",
      "close",
    ]);
    expect(jsonOf(readiness)).toMatchObject({ state: "stopping", revision: 7 });
  });

  it("N12: what is under way is finished, and nothing was forced", async () => {
    const { server, port, url } = await start();
    const vehicle = connect(port, "127.0.0.1");
    vehicle.write(`POST ${route} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n{`);
    await expect.poll(() => server.figures().vehicles.receiving, timeout).toBe(1);
    const stopped = server.stop(100_000);
    await expect
      .poll(async () => send(`${url}/health`, { method: "GET" }).catch(() => "refused"), timeout)
      .toBe("refused");
    vehicle.write(body.slice(1));
    expect(Buffer.concat((await vehicle.toArray()) as Buffer[]).toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await stopped).toBe(false);
  });

  it("N12: what does not end in time is cut off, and it is said", async () => {
    const { server, port } = await start();
    const vehicle = connect(port, "127.0.0.1").on("error", () => undefined);
    vehicle.write(`POST ${route} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n{`);
    await expect.poll(() => server.figures().vehicles.receiving, timeout).toBe(1);
    expect(await server.stop(20)).toBe(true);
  });
});

it("Q6: TLS on the plain port is counted and told once a minute; what is no HTTP either is not", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const { server, port } = await start();
  const end = (bytes: Buffer) =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      socket
        .on("error", () => undefined)
        .once("close", resolve)
        .resume();
    });
  const secure = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await new Promise((resolve) => secure.once("error", resolve));
  for (const bytes of [Buffer.from("nonsense\r\n\r\n"), Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])])
    await end(bytes);
  expect(server.figures().handshakes).toBe(2);
  expect(warn.mock.calls).toEqual([
    [{ handshakes: 1 }, "TLS on the plain port. Phones ask by HTTPS on this port, whatever is announced"],
  ]);
});
