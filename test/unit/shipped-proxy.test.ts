import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { shippedProxies, startShippedProxy } from "@/test/support/shipped-proxy";
import { temporaryFolder } from "@/test/support/temporary-folder";

const vehiclePath = "/api/v1/production/policy";
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Instance {
  readonly port: number;
  /** Without the proxy's checks. */
  readonly requests: IncomingMessage[];
  readonly checks: IncomingMessage[];
  close(): Promise<void>;
}

const checkPaths = shippedProxies.flatMap(({ checks }) => checks);

/** `check`: the status for a proxy that checks instances, by path. */
async function anInstance(
  answer: RequestListener = (_request, response) => response.end("{}"),
  check: (asked?: string) => number = () => 200,
): Promise<Instance> {
  const requests: IncomingMessage[] = [];
  const checks: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    const isCheck = checkPaths.includes(request.url ?? "");
    (isCheck ? checks : requests).push(request);
    request
      .resume()
      .once("end", () => (isCheck ? response.writeHead(check(request.url)).end() : answer(request, response)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  ends.push(close);
  return { port: (server.address() as AddressInfo).port, requests, checks, close };
}

interface Asked {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const busy: RequestListener = (_request, response) => response.writeHead(503).end("not ready");
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
/** 502 is a proxy's own word once everybody has refused. */
const refusals = (statuses: readonly number[]) => statuses.filter((status) => status === 503 || status === 502).length;

describe.each(shippedProxies)("O2, F4: $name sends no vehicle to an instance that is not ready", (shipped) => {
  /** Posts, once a proxy that checks instances knows them. */
  async function before(instances: readonly Instance[], change: (text: string) => string = (same) => same) {
    const ports = instances.map(({ port }) => port);
    const proxy = await startShippedProxy(shipped, ports, (text) => change(text).replace("inter 1s", "inter 100ms"));
    ends.push(() => proxy.stop());
    // Twice by each backend, so that it knows the first result.
    const isKnown = ({ checks }: Instance) => shipped.checks.length === 0 || checks.length > 5;
    while (!instances.every(isKnown)) await wait(20);
    return async (count: number, { path: asked = vehiclePath, body = "{}", headers = {} }: Asked = {}) => {
      const statuses: number[] = [];
      for (let sent = 0; sent < count; sent++) {
        const answer = await fetch(`${proxy.origin}${asked}`, { method: "POST", body, headers });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
      return statuses;
    };
  }

  it.each(["/api/v1/production/policy", "/api/v1/staging/policy", "/api/1/production/policy/"])(
    "%s: one that answers 503 gets nearly none, and those are answered by the other",
    async (asked) => {
      const [starting, well] = [await anInstance(busy, () => 503), await anInstance()];
      expect(await (await before([starting, well]))(50, { path: asked })).toEqual(times(50, 200));
      expect(well.requests).toHaveLength(50);
      expect(starting.requests.length).toBeLessThan(25);
    },
  );

  it("one whose port is closed", async () => {
    const [gone, well] = [await anInstance(), await anInstance()];
    const post = await before([gone, well]);
    await gone.close();
    expect(await post(10)).toEqual(times(10, 200));
  });

  it.each<[string, RequestListener]>([
    ["ends while it holds a request", (request) => request.socket.destroy()],
    ["refuses requests although it is ready", busy],
    ["takes requests and stands still", () => undefined],
  ])("one that %s, up to the size that the server takes", async (_what, answer) => {
    const [failing, well] = [await anInstance(answer), await anInstance()];
    const post = await before([failing, well], (text) => text.replace(/(read_timeout|timeout server) 10s/, "$1 1s"));
    expect(await post(4)).toEqual(times(4, 200));
    const body = "x".repeat(1_048_576);
    expect(await post(4, { body })).toEqual(times(4, 200));
    expect(await post(1, { body: `${body}x` })).toEqual([413]);
    expect(well.requests).toHaveLength(8);
    expect(failing.requests.length).toBeGreaterThan(0);
  });

  it("a client that every instance refuses keeps no other client out", async () => {
    const answer: RequestListener = ({ headers }, response) =>
      response.writeHead(headers["x-car"] === "greedy" ? 503 : 200).end();
    const post = await before([await anInstance(answer), await anInstance(answer)]);
    for (let round = 0; round < 5; round++) {
      expect(refusals(await post(3, { headers: { "x-car": "greedy" } }))).toBe(3);
      expect(await post(10)).toEqual(times(10, 200));
    }
  });

  it("when no instance is ready each is tried, and the client is told", async () => {
    const [one, other] = [await anInstance(busy, () => 503), await anInstance(undefined, () => 503)];
    expect(await (await before([one, other]))(3)).toEqual(times(3, 200));
    expect(refusals(await (await before([one, one]))(3))).toBe(3);
  });

  it("a change that has been sent is never repeated", async () => {
    const [dying, well] = [await anInstance((request) => request.socket.destroy()), await anInstance()];
    const statuses = await (await before([dying, well]))(2, { path: "/api/v1/groups" });
    expect(dying.requests.length).toBeGreaterThan(0);
    expect([dying.requests.length, well.requests.length]).toEqual([refusals(statuses), 2 - refusals(statuses)]);
  });

  it("N3: a change that the first has not passed on to its console, which is not up, goes to the other, and only that", async () => {
    const isAsked = ({ headers }: IncomingMessage) => headers["x-another-instance"] !== undefined;
    const starting = await anInstance(
      (request, response) => response.writeHead(isAsked(request) ? 421 : 503).end(),
      (asked) => (asked === "/health/ready" ? 200 : 421),
    );
    const well = await anInstance();
    const post = await before([starting, well]);
    expect(await post(5, { path: "/api/v1/groups" })).toEqual(times(5, 200));
    await post(1, { headers: { "X-Another-Instance": "yes" } });
    const seen = well.requests.map((request) => [request.method, request.headers["content-length"], isAsked(request)]);
    expect(seen).toEqual(Array.from({ length: 6 }, () => ["POST", "2", false]));
    expect(await (await before([starting, starting]))(1, { path: "/api/v1/groups" })).toEqual([503]);
    // An instance says so to who asks.
    expect([...starting.checks, ...starting.requests].some(isAsked)).toBe(true);
  });

  it("headers with underscores arrive, and the client's address, scheme and host are the proxy's word alone", async () => {
    const instance = await anInstance();
    const post = await before([instance, instance]);
    const forged = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
    const headers = { public_key: "a key", "X-Forwarded-For": "203.0.113.9", ...forged };
    await post(1, { path: "/api/v1/webhook", headers });
    await post(1, { headers });
    for (const request of instance.requests)
      expect(request.headers).toMatchObject({
        ...{ public_key: "a key", "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" },
        "x-forwarded-host": request.headers.host,
      });
    expect(instance.requests).toHaveLength(2);
  });

  it("takes the configuration as it is shipped, TLS included", () => {
    const folder = temporaryFolder();
    const [key, certificate] = [`${folder}/key.pem`, `${folder}/certificate.pem`];
    const words = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${certificate}`;
    expect(spawnSync("openssl", words.split(" ")).status).toBe(0);
    writeFileSync(`${folder}/both.pem`, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
    const { stderr: version } = spawnSync(shipped.program, ["-v"], { encoding: "utf8" });
    const [, minor] = /^nginx version: nginx\/1\.(\d+)/.exec(version) ?? [];
    const text = readFileSync(shipped.file, "utf8")
      // The directive is of nginx 1.25.1, as the file says; that of the image is newer.
      .replace(Number(minor) < 26 ? "http2 on;" : "", "")
      .replaceAll("/etc/nginx/tls", folder)
      .replaceAll("/etc/haproxy/tls", `${folder}/both.pem`)
      .replaceAll(/policy-\d:3000/g, "127.0.0.1:3000");
    const isNginx = minor !== undefined;
    writeFileSync(`${folder}/configuration`, isNginx ? `pid ${folder}/nginx.pid;\n${text}` : text);
    const tried = spawnSync(shipped.program, [...shipped.tryWords, `${folder}/configuration`], { encoding: "utf8" });
    expect(shipped.checks.filter((asked) => !existsSync(`app${asked}`))).toEqual([]);
    expect([tried.status, tried.stderr]).toEqual([0, expect.not.stringMatching(/\[(?:warn|error|alert|emerg)/i)]);
  });
});
