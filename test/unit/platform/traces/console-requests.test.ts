import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { request as ask, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { GET as about } from "@/app/api/v1/about/route";
import { vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";
import { type ConsoleOptions, createConsoleServer } from "@/lib/server/console-server";
import { readKnownPaths } from "@/lib/server/refusals/known-paths";
import { loadSettings } from "@/lib/platform/settings";
import { inSpan } from "@/lib/platform/traces/traces";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { endStubs } from "@/test/support/http-stub";
import { aNextBuild } from "@/test/support/next-build";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings as putSettings } from "@/test/support/settings";

endStubs();
forgetSettings();
const { build, files } = aNextBuild();
const parent = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };

async function serve(handler: ConsoleOptions["handler"]) {
  putSettings({ AUTH_TYPE: "none" });
  const socketPath = path.join(mkdtempSync(path.join(tmpdir(), "console-")), "console.sock");
  const paths = readKnownPaths(build, files);
  const shared = { settings: loadSettings(), prepared: Promise.resolve(), isBehindVehicleWorkers: true };
  const server = createConsoleServer({ ...shared, handler, paths }).listen(socketPath);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return async (target: string, headers: Record<string, string> = {}) => {
    const peer = { [vehicleWorkerPeerHeader]: "192.0.2.1 http" };
    const sent = ask({ agent: false, socketPath, path: target, headers: { ...peer, ...headers } });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
}

describe("O4: requests of the console", () => {
  it("O4: continue the trace of the vehicle worker, are named by their route, and hold what is done for them", async () => {
    const collected = await collectTraces();
    const get = await serve(async (request, response) => {
      // As the framework's own bundle does it, some turns of the event loop later.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await inSpan("part", { kind: "client" }, () => Promise.resolve());
      response.writeHead(request.url?.includes("broken") === true ? 500 : 200).end("a page");
    });
    const traceparent = `00-${parent.trace}-${parent.span}-01`;
    await get("/applications/a1?token=open-sesame", { traceparent, cookie: "session=open-sesame" });
    await get("/applications/broken");
    const spans = await collected.spans();
    const [first, failed] = spans.filter(({ name }) => name === "GET /applications/[id]");
    expect(first).toMatchObject({ kind: 2, traceId: parent.trace, parentSpanId: parent.span });
    expect(first?.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/applications/[id]",
      "url.path": "/applications/a1",
      "http.response.status_code": 200,
    });
    expect(spans.find(({ name }) => name === "part")).toMatchObject({
      traceId: parent.trace,
      parentSpanId: first?.spanId,
    });
    expect(failed).toMatchObject({ status: { code: 2 } });
    expect(failed?.parentSpanId).toBeUndefined();
    expect(collected.text()).not.toContain("open-sesame");
  });

  it("O4: a route of the API says which request id it has answered with", async () => {
    const collected = await collectTraces();
    const get = await serve(async (request, response) => {
      const answer = await about(aRequest(request.url ?? "/"));
      response.writeHead(answer.status).end(await answer.text());
    });
    const { status, body } = await get("/api/1/groups");
    const span = spanNamed(await collected.spans(), "GET /api/v1/groups");
    expect(span.attributes).toMatchObject({
      "http.response.status_code": status,
      "policy.request_id": (JSON.parse(body) as { meta: { request_id: string } }).meta.request_id,
    });
  });

  it("O4: files and probes are no spans, and paths that lead nowhere are named by their method", async () => {
    const collected = await collectTraces();
    const get = await serve(async (_request, response) => {
      await Promise.resolve();
      response.end("a file");
    });
    await get("/images/lock-screen.png");
    await get("/health");
    await get("/nothing/here/1");
    expect((await collected.spans()).map(({ name }) => name)).toEqual(["GET"]);
  });
});
