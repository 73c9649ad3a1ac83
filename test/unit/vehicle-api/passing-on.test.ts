import { expect, describe, it } from "vitest";
import { vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";
import { startGateway } from "@/test/support/gateway";
import { send } from "@/test/support/worker-server";
import { sendRaw } from "@/test/support/raw-request";

const last = "Connection: close\r\n";

describe("N3: what is passed on", () => {
  it("N3: names of headers as sent, twice what comes twice, and nothing of the connection", async () => {
    const { port, seen } = await startGateway((_, response) => response.end("ok"));
    const sent = [
      ...["Host: policy.example.com", "public_key: a", "X-Twice: 1", "x-twice: 2"],
      ...["Connection: close, X-Only-Here, Cookie, X-Forwarded-For", "X-Only-Here: 1", "Cookie: session=1"],
      ...["X-Forwarded-For: 192.0.2.1", "Keep-Alive: timeout=5", "TE: trailers", "Proxy-Authorization: Basic x"],
      ...["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
      ...[`${vehicleWorkerPeerHeader}: 203.0.113.9 https`, "X-VEHICLE-WORKER-PEER: 203.0.113.9 https"],
    ];
    const { status } = await sendRaw(port, `GET /a%20b?c=d HTTP/1.1\r\n${sent.join("\r\n")}\r\n\r\n`, false);
    expect(status).toBe(200);
    expect(seen[0]?.head.url).toBe("/a%20b?c=d");
    const { rawHeaders = [] } = seen[0]?.head ?? {};
    expect(rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))).toEqual([
      ...["Host: policy.example.com", "public_key: a", "X-Twice: 1", "x-twice: 2"],
      ...["Cookie: session=1", "X-Forwarded-For: 192.0.2.1"],
      ...["x-vehicle-worker-peer: 127.0.0.1 http", "Connection: keep-alive"],
    ]);
  });

  it("N3: the answer's headers too", async () => {
    const { port } = await startGateway((_, response) => {
      const headers = [
        ...["Set-Cookie", "a=1", "set-cookie", "b=2", "Connection", "close, X-Hop", "X-Hop", "1", "X_Y", "z"],
      ];
      response.writeHead(418, "Short and stout", headers);
      response.end("tea");
    });
    const { text } = await sendRaw(port, `GET / HTTP/1.1\r\nHost: a\r\n${last}\r\n`, false);
    const [head = "", body] = text.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 418 Short and stout\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX_Y: z\r\n/);
    expect(head).not.toMatch(/x-hop|keep-alive/i);
    expect(head.match(/^date:/gim)).toHaveLength(1);
    expect(body).toBe("3\r\ntea\r\n0");
  });

  it.each([
    ["GET", undefined, undefined],
    ["GET", '{"uuid":"a"}', "12"],
    ["GET", "", undefined],
    ["POST", "{}", "2"],
    ["POST", undefined, "0"],
    ["PUT", "x".repeat(1_048_576), "1048576"],
    ["DELETE", undefined, undefined],
    ["PATCH", "{}", "2"],
  ])("N3: %s with a body (%#)", async (method, body, length) => {
    const { url, seen } = await startGateway((_, response) => response.end("ok"));
    // A GET would be sent without one otherwise.
    const headers = body === undefined || body === "" ? {} : { "Content-Length": body.length };
    expect((await send(url, { method, headers, ...(body === undefined ? {} : { body }) })).status).toBe(200);
    await expect.poll(() => seen.length).toBe(1);
    expect([seen[0]?.head.method, seen[0]?.body.toString()]).toEqual([method, body ?? ""]);
    expect(seen[0]?.head.headers["content-length"]).toBe(length);
    expect(seen[0]?.head.headers["transfer-encoding"]).toBeUndefined();
  });

  it("N3: a body in pieces goes on with its length, and one of no known end as well", async () => {
    const { url, seen } = await startGateway((_, response) => response.end("ok"));
    for (const method of ["POST", "GET"])
      await send(url, { method, body: "x".repeat(100_000), headers: { "Transfer-Encoding": "chunked" } });
    expect(seen.map(({ head, body }) => [head.headers["content-length"], body.length])).toEqual([
      ["100000", 100_000],
      ["100000", 100_000],
    ]);
  });

  it.each([
    ["HEAD", 200, { "Content-Length": "5" }],
    ["GET", 304, { ETag: '"a"' }],
    ["GET", 204, {}],
  ] as const)("N3: the answer to %s with %d has no body", async (method, status, headers) => {
    const { url } = await startGateway((_, response) => {
      response.writeHead(status, headers);
      response.end();
    });
    const answer = await send(url, { method });
    expect([answer.status, answer.body.length]).toEqual([status, 0]);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers[name.toLowerCase()]).toBe(value);
    expect(answer.headers).not.toHaveProperty("transfer-encoding");
  });

  it("N3: a long answer comes whole", async () => {
    const bytes = Buffer.alloc(5_000_000, "0123456789");
    const { url, gateway } = await startGateway((_, response) => response.end(bytes));
    const answers = await Promise.all([1, 2, 3].map(() => send(url, { method: "GET" })));
    expect(answers.map(({ body }) => body.equals(bytes))).toEqual([true, true, true]);
    await expect
      .poll(() => gateway.figures())
      .toMatchObject({ underWay: 0, slowClients: 0, bodyBytes: 0, passedOn: 3 });
  });

  it("N3: HTTP/1.0 without a host is passed on, and its answer ends with the connection", async () => {
    const { port, seen } = await startGateway((_, response) => response.end("ok"));
    const { text } = await sendRaw(port, "GET / HTTP/1.0\r\n\r\n", false);
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nok$/);
    expect(seen[0]?.head.headers.host).toBe("");
  });

  it("N11: an offer of an upgrade is not passed on, the request is", async () => {
    const { port, seen } = await startGateway((_, response) => response.end("ok"));
    const offer = "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n";
    const { status, text } = await sendRaw(port, `POST / HTTP/1.1\r\nHost: a\r\n${offer}\r\n{}`, false);
    expect([status, /connection: close/i.test(text)]).toEqual([200, true]);
    expect([seen[0]?.head.headers.upgrade, seen[0]?.body.toString()]).toEqual([undefined, "{}"]);
  });

  it("N11: Expect: 413 before 100, 417 for what is not known, and nothing of it is passed on", async () => {
    const { port, seen } = await startGateway((_, response) => response.end("ok"));
    const asks = (expectation: string, length: number) =>
      `POST / HTTP/1.1\r\nHost: a\r\nExpect: ${expectation}\r\nContent-Length: ${length}\r\n`;
    const refused = await sendRaw(port, `${asks("100-continue", 1_048_577)}\r\n`, false);
    expect([refused.status, refused.text.includes("100 Continue")]).toEqual([413, false]);
    expect((await sendRaw(port, `${asks("200-maybe", 0)}${last}\r\n`, false)).status).toBe(417);
    expect(seen).toEqual([]);
    const taken = await sendRaw(port, `${asks("100-continue", 2)}${last}\r\n{}`, false);
    expect(taken.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(seen[0]?.head.headers.expect).toBeUndefined();
  });
});
