import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { nginx, startShippedProxy } from "@/test/support/shipped-proxy";
import { temporaryFolder } from "@/test/support/temporary-folder";

const vehiclePath = "/api/v1/production/policy";
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Instance {
  readonly port: number;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

async function anInstance(answer: RequestListener = (_request, response) => response.end("{}")): Promise<Instance> {
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request);
    request.resume().once("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  ends.push(close);
  return { port: (server.address() as AddressInfo).port, requests, close };
}

interface Asked {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const unready: RequestListener = (_request, response) => response.writeHead(503).end("not ready");

async function before(instances: readonly Instance[], change?: (configuration: string) => string) {
  const proxy = await startShippedProxy(
    instances.map(({ port }) => port),
    change,
  );
  ends.push(() => proxy.stop());
  return async (count: number, { path: asked = vehiclePath, headers = {} }: Asked = {}) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent++) {
      const answer = await fetch(`${proxy.origin}${asked}`, { method: "POST", body: "{}", headers });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  };
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
/** 502 is nginx's own word once everybody has refused. */
const refusals = (statuses: readonly number[]) => statuses.filter((status) => status === 503 || status === 502).length;

describe.skipIf(nginx === null)("O2, F4: no vehicle is sent to an instance of compose that is not ready", () => {
  it.each(["/api/v1/production/policy", "/api/v1/staging/policy", "/api/1/production/policy/"])(
    "%s: one that answers 503 gets nearly none, and those are answered by the other",
    async (asked) => {
      const [starting, well] = [await anInstance(unready), await anInstance()];
      expect(await (await before([starting, well]))(50, { path: asked })).toEqual(times(50, 200));
      expect(well.requests).toHaveLength(50);
      expect(starting.requests.length).toBeLessThan(25);
    },
  );

  it("one whose port is closed, and one that ends while it holds a request", async () => {
    const [gone, well] = [await anInstance(), await anInstance()];
    const post = await before([gone, well]);
    await gone.close();
    expect(await post(10)).toEqual(times(10, 200));
    const dying = await anInstance((request) => request.socket.destroy());
    expect(await (await before([dying, well]))(10)).toEqual(times(10, 200));
    expect(dying.requests.length).toBeGreaterThan(0);
  });

  it("one that takes requests and stands still", async () => {
    const [still, well] = [await anInstance(() => undefined), await anInstance()];
    const post = await before([still, well], (text) => text.replace("proxy_read_timeout 10s", "proxy_read_timeout 1s"));
    expect(await post(10)).toEqual(times(10, 200));
    expect(still.requests.length).toBeGreaterThan(0);
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

  it("when no instance is ready the client is told so", async () =>
    expect(refusals(await (await before([await anInstance(unready), await anInstance(unready)]))(3))).toBe(3));

  it("a change that has been sent is never repeated", async () => {
    const [dying, well] = [await anInstance((request) => request.socket.destroy()), await anInstance()];
    const post = await before([dying, well]);
    const statuses = [...(await post(1, { path: "/api/v1/groups" })), ...(await post(1, { path: "/api/v1/groups" }))];
    expect(statuses.toSorted()).toEqual([200, 502]);
    expect([dying.requests.length, well.requests.length]).toEqual([1, 1]);
  });

  it("N3: a change that the first has not passed on to its console, which is not up, goes to the other, and only that", async () => {
    const isAsked = ({ headers }: IncomingMessage) => headers["x-another-instance"] !== undefined;
    const starting = await anInstance((request, response) => response.writeHead(isAsked(request) ? 421 : 503).end());
    const well = await anInstance();
    const post = await before([starting, well]);
    expect(await post(5, { path: "/api/v1/groups" })).toEqual(times(5, 200));
    await post(1, { headers: { "X-Another-Instance": "yes" } });
    const seen = well.requests.map((request) => [request.method, request.headers["content-length"], isAsked(request)]);
    expect(seen).toEqual(Array.from({ length: 6 }, () => ["POST", "2", false]));
    expect(await (await before([starting, starting]))(1, { path: "/api/v1/groups" })).toEqual([503]);
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
});

it.skipIf(nginx === null)("O2: nginx takes the configuration as it is shipped, TLS included", () => {
  const folder = temporaryFolder();
  const [key, certificate] = [`${folder}/key.pem`, `${folder}/certificate.pem`];
  const words = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${certificate}`;
  expect(spawnSync("openssl", words.split(" ")).status).toBe(0);
  const { stderr: version } = spawnSync(nginx ?? "", ["-v"], { encoding: "utf8" });
  const [, major, minor] = /\/(\d+)\.(\d+)/.exec(version) ?? [];
  // The directive is of 1.25.1, as the file says; that of the image is newer.
  expect(readFileSync("deploy/compose/nginx.conf", "utf8")).toMatch(/^#.* Needs nginx 1\.25\.1 or newer/);
  const isOld = Number(major) === 1 && Number(minor) < 26;
  const text = readFileSync("deploy/compose/nginx.conf", "utf8")
    .replaceAll("/etc/nginx/tls", folder)
    .replace("http2 on;", isOld ? "" : "http2 on;")
    .replaceAll(/policy-\d:3000/g, "127.0.0.1:3000");
  writeFileSync(`${folder}/nginx.conf`, `pid ${folder}/nginx.pid;\n${text}`);
  const tried = spawnSync(nginx ?? "", ["-t", "-p", folder, "-c", `${folder}/nginx.conf`, "-e", "stderr"], {
    encoding: "utf8",
  });
  expect(tried.stderr).toContain("test is successful");
  expect(tried.stderr).not.toMatch(/\[(?:warn|error|emerg)\]/);
});
