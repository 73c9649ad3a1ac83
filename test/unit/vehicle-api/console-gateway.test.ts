import { get } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startGateway } from "@/test/support/gateway";
import { anyUuid, jsonOf, send, timeout } from "@/test/support/worker-server";
import { sendRaw } from "@/test/support/raw-request";

describe("N3: places at the console", () => {
  it("N3: no more than allowed are under way; the others wait, in order, and some are too many", async () => {
    const held: (() => void)[] = [];
    const paths: (string | undefined)[] = [];
    const { url, gateway } = await startGateway(
      (request, response) => {
        paths.push(request.url);
        held.push(() => response.end("ok"));
      },
      { maxAtOnce: 2, maxWaiting: 3, timeoutMs: 100_000 },
    );
    const asked = [];
    for (let at = 0; at < 5; at++) {
      asked.push(send(`${url}/${at}`, { method: "GET" }));
      await expect.poll(() => gateway.figures().underWay + gateway.figures().waiting, timeout).toBe(at + 1);
    }
    const refused = await send(`${url}/api/v1/about`, { method: "GET" });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    expect(jsonOf(refused)).toEqual({
      meta: { request_id: anyUuid, code: 503, message: "Service unavailable" },
      data: {},
    });
    expect(gateway.figures()).toMatchObject({ underWay: 2, waiting: 3, refused: { busy: 1 } });
    for (let at = 0; at < 5; at++) {
      await expect.poll(() => held.length, timeout).toBeGreaterThan(at);
      expect(gateway.figures().underWay).toBeLessThanOrEqual(2);
      held[at]?.();
      expect((await asked[at])?.status).toBe(200);
    }
    expect(paths).toEqual(["/0", "/1", "/2", "/3", "/4"]);
    expect(gateway.figures()).toMatchObject({ underWay: 0, waiting: 0 });
  });

  it("N3: who waits too long is refused; a page says why and tries again by itself", async () => {
    const { url, gateway } = await startGateway(() => undefined, { maxAtOnce: 1, timeoutMs: 20 });
    const first = get(url).on("error", () => undefined);
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(1);
    const page = await send(`${url}/applications`, { method: "GET" });
    expect([page.status, page.headers["content-type"], page.headers["retry-after"]]).toEqual([
      ...[503, "text/html; charset=utf-8", "1"],
    ]);
    expect(page.body.toString()).toMatch(/<meta http-equiv="refresh" content="\d+">[^]*The console has too much to do/);
    expect(page.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    expect(gateway.figures()).toMatchObject({ underWay: 1, waiting: 0, refused: { busy: 1 } });
    first.destroy();
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(0);
  });

  it("N3: slow senders hold no place", async () => {
    const { url, port, gateway } = await startGateway((_, response) => response.end("ok"), { maxAtOnce: 1 });
    const slow = Array.from({ length: 50 }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write("POST /api/v1/groups HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{");
      return socket;
    });
    await expect.poll(() => gateway.figures().bodyBytes, timeout).toBe(50);
    expect((await send(url, { body: "{}" })).status).toBe(200);
    slow.forEach((socket) => socket.resetAndDestroy());
    await expect.poll(() => gateway.figures().bodyBytes, timeout).toBe(0);
  });

  it("N3: slow readers hold no place, and who reads nothing is cut off", async () => {
    const long = Buffer.alloc(50_000_000);
    const { url, port, gateway } = await startGateway(
      (request, response) => response.end(request.url === "/long" ? long : "ok"),
      { maxAtOnce: 1, unsentMs: 300 },
    );
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.pause().write("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => gateway.figures().slowClients, timeout).toBe(1);
    expect((await send(url, { method: "GET" })).status).toBe(200);
    await expect.poll(() => gateway.figures().slowClients, timeout).toBe(0);
    let read = 0;
    socket.resume().on("data", (chunk: Buffer) => (read += chunk.length));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(read).toBeLessThan(long.length);
  });
});

describe("N3a: who is known", () => {
  const signedIn = { Cookie: "theme=dark; __Host-next-auth.session-token=right" };
  async function startKnowing() {
    const held: (() => void)[] = [];
    const secret = { now: "right" };
    const started = await startGateway(
      ({ headers, url: path }, response) => {
        const sent = [headers.cookie, headers.authorization, headers.public_key].join();
        if (sent !== ",,") response.setHeader("x-caller", sent.includes(secret.now) ? "known" : "stranger");
        if (path === "/slow") held.push(() => response.end());
        else response.end();
      },
      { maxAtOnce: 4, maxWaiting: 0, trusted: { trustProxyAddresses: [], authUserHeader: "x-user" } },
    );
    const ask = async (headers: Record<string, string>) => {
      const answer = await send(started.url, { method: "GET", headers });
      expect(answer.headers).not.toHaveProperty("x-caller");
      return answer.status;
    };
    return { ...started, held, ask, secret };
  }

  it.each([
    ["a session", signedIn, { Cookie: "theme=light; __Host-next-auth.session-token=right; a=b" }],
    ["a token", { Authorization: "Bearer right" }, undefined],
    ["the webhook's key", { public_key: "right" }, undefined],
  ])(
    "N3a: %s that the console has found right has a place while strangers have all of theirs",
    async (_, one, other) => {
      const { url, held, seen, ask } = await startKnowing();
      expect(await ask(one)).toBe(200);
      const slow = Array.from({ length: 3 }, () => send(`${url}/slow`, { method: "GET" }));
      await expect.poll(() => held.length, timeout).toBe(3);
      expect(await ask(other ?? one)).toBe(200);
      expect(seen.at(-1)?.head.headers["x-vehicle-worker-peer"]).toBe("127.0.0.1 http known");
      // Neither a guess nor a proxy's header from an address that is no proxy.
      for (const guess of [{ Authorization: "Bearer wrong" }, { "X-User": "admin" }, {}])
        expect(await ask(guess)).toBe(503);
      held.forEach((answer) => answer());
      await Promise.all(slow);
    },
  );

  it("N3a: what the console finds wrong later is a stranger's again", async () => {
    const { seen, ask, secret } = await startKnowing();
    for (const now of ["right", "right", "new", "new"]) {
      secret.now = now;
      await ask(signedIn);
    }
    const peers = seen.map(({ head }) => head.headers["x-vehicle-worker-peer"]);
    expect(peers).toEqual(["", " known", " known", ""].map((end) => `127.0.0.1 http${end}`));
  });

  it("N3a: strangers enter one by one as well while known callers come through another vehicle worker", async () => {
    const held: (() => void)[] = [];
    const { url, gateway } = await startGateway(
      ({ url: path }, response) => {
        response.setHeader("x-known-ago", "20");
        if (path === "/slow") held.push(() => response.end());
        else response.end();
      },
      { maxAtOnce: 64 },
    );
    const first = await send(url, { method: "GET" });
    expect([first.status, first.headers["x-known-ago"]]).toEqual([200, undefined]);
    const slow = Array.from({ length: 2 }, () => send(`${url}/slow`, { method: "GET" }));
    await expect.poll(() => gateway.figures(), timeout).toMatchObject({ underWay: 1, waiting: 1 });
    await expect.poll(() => held.length, timeout).toBe(1);
    held[0]?.();
    await expect.poll(() => held.length, timeout).toBe(2);
    held[1]?.();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("N3a: sign-ins that wait for the identity provider hold no place", async () => {
    const { url, gateway } = await startGateway(
      ({ url: path }, response) => void (path?.startsWith("/api/auth/") || response.end("ok")),
      { maxAtOnce: 1, signInMs: 20, timeoutMs: 100_000 },
    );
    const stalled = Array.from({ length: 5 }, () => get(`${url}/api/auth/signin/oidc`).on("error", () => undefined));
    await expect.poll(() => gateway.figures().slowClients, timeout).toBe(5);
    expect((await send(`${url}/login`, { method: "GET" })).status).toBe(200);
    stalled.forEach((request) => request.destroy());
    await expect.poll(() => gateway.figures(), timeout).toMatchObject({ underWay: 0, slowClients: 0 });
  });
});

describe("N3: bodies are bounded before they are passed on", () => {
  it("N3: 413 beyond 1 MiB, announced or not", async () => {
    const { url, seen, gateway } = await startGateway((_, response) => response.end("ok"));
    const body = "x".repeat(1_048_577);
    for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
      const answer = await send(`${url}/api/v1/groups`, { body, headers });
      expect([answer.status, jsonOf(answer).meta.code, answer.headers.connection]).toEqual([413, 413, "close"]);
    }
    expect([seen.length, gateway.figures().bodyBytes]).toEqual([0, 0]);
  });

  it("N3: 408 for a body that does not come", async () => {
    const { port, seen, gateway } = await startGateway((_, response) => response.end("ok"), { bodyMs: 30 });
    const { status, text } = await sendRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", false);
    expect([status, /connection: close/i.test(text), seen.length]).toEqual([408, true, 0]);
    expect(gateway.figures()).toMatchObject({ bodyBytes: 0, refused: { deadline: 1 } });
  });
});

describe("N3: who goes away", () => {
  it("N3: a client that goes away ends its request at the console", async () => {
    let aborted = 0;
    const { url, gateway } = await startGateway((_, response) => void response.once("close", () => aborted++));
    const first = get(url).on("error", () => undefined);
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(1);
    first.destroy();
    await expect.poll(() => aborted, timeout).toBe(1);
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(0);
  });

  it("N3: so do requests that were sent ahead of their answers", async () => {
    const { port, gateway } = await startGateway(() => undefined);
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(5);
    socket.resetAndDestroy();
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(0);
  });

  it("N3: the console away is 503: in the envelope for machines, a page for people, until it is back", async () => {
    const { url, kill, start, gateway } = await startGateway((_, response) => response.end("ok"), { timeoutMs: 50 });
    expect((await send(url, { method: "GET" })).status).toBe(200);
    await kill();
    for (const path of ["/api/v1/groups", "/version", "/metrics", "/bundles/a.zip"]) {
      const answer = await send(url + path, { method: "GET" });
      expect([answer.status, answer.headers["retry-after"], jsonOf(answer).meta.code]).toEqual([503, "5", 503]);
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    }
    const page = await send(`${url}/applications?x=1`, { method: "GET" });
    expect([page.status, page.headers["retry-after"]]).toEqual([503, "5"]);
    expect(page.body.toString()).toMatch(/prefers-color-scheme:dark[^]*The console is starting again/);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect((await send(`${url}/applications`, { method: "HEAD" })).body).toHaveLength(0);
    await start();
    expect((await send(url, { method: "POST", body: "{}" })).status).toBe(200);
    expect(gateway.figures().refused.away).toBe(6);
  });

  it("N3: a request waits for a console that is started again", async () => {
    const { url, kill, start, gateway } = await startGateway((request, response) => void request.pipe(response), {
      timeoutMs: 100_000,
    });
    await kill();
    const asked = send(url, { method: "POST", body: "once" });
    await expect.poll(() => gateway.figures().underWay, timeout).toBe(1);
    await start();
    const answer = await asked;
    expect([answer.status, answer.body.toString()]).toEqual([200, "once"]);
    expect(gateway.figures().refused.away).toBe(0);
  });

  it("N3: a proxy with another instance gets what was not sent back with 421 at once, and nothing that may have been", async () => {
    const { url, kill, start, seen } = await startGateway((request) => void request.socket.destroy(), {
      timeoutMs: 100_000,
    });
    const headers = { "X-Another-Instance": "yes" };
    await kill();
    for (const path of ["/api/v1/groups", "/applications"])
      expect((await send(`${url}${path}`, { body: "{}", headers })).status).toBe(421);
    expect(seen).toHaveLength(0);
    await start();
    expect((await send(`${url}/api/v1/groups`, { body: "{}", headers })).status).toBe(503);
  });

  it("N3: a console that dies before its answer is 503, and says that a change may have been made", async () => {
    const { url, gateway } = await startGateway((request) => void request.socket.destroy());
    const answer = await send(`${url}/api/v1/groups`, { body: "{}" });
    expect([answer.status, jsonOf(answer).meta.message]).toEqual([503, expect.stringContaining("may still be made")]);
    expect(gateway.figures().refused.died).toBe(1);
  });

  it.each(["Content-Length", "chunked", "HTTP/1.0"])(
    "N3: a console that dies in the middle of its answer resets the connection (%s)",
    async (form) => {
      let die: () => unknown = () => undefined;
      const { port } = await startGateway((_, response) => {
        response.writeHead(200, form === "chunked" ? {} : { "Content-Length": 100 });
        response.write("half");
        die = () => response.socket?.destroy();
      });
      const socket = connect(port, "127.0.0.1");
      // Not before the first half has come all the way.
      socket.once("data", () => die()).write(`GET / HTTP/1.${form === "HTTP/1.0" ? 0 : 1}\r\nHost: a\r\n\r\n`);
      const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once("error", resolve));
      expect(error.code).toBe("ECONNRESET");
    },
  );

  it("N3: a connection that went stale costs a repeatable request nothing, and no other is sent twice", async () => {
    let requests = 0;
    const { url } = await startGateway((request, response) => {
      // Every second request finds its connection broken, as if the console had closed it meanwhile.
      if (++requests % 2 === 0) request.socket.destroy();
      else response.end("ok");
    });
    expect((await send(url, { method: "GET" })).status).toBe(200);
    expect((await send(url, { method: "GET" })).status).toBe(200);
    expect(requests).toBe(3);
    expect((await send(url, { body: "{}" })).status).toBe(503);
    expect(requests).toBe(4);
  });

  it("N3: a console that never answers is 504", async () => {
    const { url, gateway } = await startGateway(() => undefined, { silenceMs: 30 });
    expect((await send(`${url}/api/v1/about`, { method: "GET" })).status).toBe(504);
    expect(gateway.figures()).toMatchObject({ underWay: 0, refused: { late: 1 } });
  });
});
