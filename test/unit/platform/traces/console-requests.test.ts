import { describe, expect, it } from "vitest";
import { GET as about } from "@/app/api/v1/about/route";
import type { ConsoleOptions } from "@/server/console-server";
import { inSpan } from "@/lib/platform/traces/traces";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { startConsoleServer } from "@/test/support/console-server";
import { endStubs } from "@/test/support/http-stub";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings as putSettings } from "@/test/support/settings";

endStubs();
forgetSettings();
const parent = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };

async function serve(handler: ConsoleOptions["handler"]) {
  putSettings({ AUTH_TYPE: "none" });
  return (await startConsoleServer({ handler })).get;
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
    expect(spanNamed(await collected.spans(), "GET /api/v1/groups").attributes).toMatchObject({
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
