import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { VehicleWorkerTraces, Share, createVehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { startGateway } from "@/test/support/gateway";
import { endStubs } from "@/test/support/http-stub";
import { body, jsonOf, route, send, serveWorkedExample, timeout } from "@/test/support/worker-server";
import { workedRequest } from "@/test/support/worked-example";

endStubs();

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

describe("O4: the share of a vehicle worker", () => {
  function randomOf(seed: number) {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  it.each([
    [0.001, 1_000_000],
    [0.1, 100_000],
    [0.9, 100_000],
  ])("O4: chooses %d of what comes, at random", (share, tries) => {
    const chosen = new Share(share, randomOf(7));
    const taken = Array.from({ length: tries }, () => chosen.take());
    const count = taken.filter(Boolean).length;
    const deviation = Math.sqrt(tries * share * (1 - share));
    expect(Math.abs(count - tries * share)).toBeLessThan(4 * deviation);
    // No rhythm: of those right after a chosen one as many are chosen as of all.
    const after = taken.filter((_one, at) => taken[at - 1] === true);
    const expected = after.length * share;
    expect(Math.abs(after.filter(Boolean).length - expected)).toBeLessThan(4 * Math.sqrt(expected) + 1);
  });

  it("O4: of 0 nothing, of 1 everything", () => {
    const [none, all] = [new Share(0), new Share(1)];
    for (let at = 0; at < 10_000; at++) expect([none.take(), all.take()]).toEqual([false, true]);
  });

  it("O4: there is none without a collector", () =>
    expect(createVehicleWorkerTraces({ otelExporterOtlpEndpoint: null, logLevel: "debug" })).toBeNull());

  it("O4: with LOG_LEVEL=debug each request is chosen, else few", async () => {
    await collectTraces();
    const chosen = (logLevel: "info" | "debug") => {
      const traces = createVehicleWorkerTraces({ otelExporterOtlpEndpoint: "http://c:4318", logLevel });
      return Array.from({ length: 2_000 }, () => traces?.ofVehicle("production", "POST")).filter(Boolean).length;
    };
    expect(chosen("debug")).toBe(2_000);
    expect(chosen("info")).toBeLessThan(100);
  });
});

describe("O4: vehicles", () => {
  it("O4: a chosen answer is a span with status, environment, bytes and number of apps, and nothing of what was sent", async () => {
    const { spans, text } = await collectTraces();
    const { url } = await serveWorkedExample({ traces: new VehicleWorkerTraces(1) });
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const answer = await send(`${url}${route}?secret=open-sesame`, { body, headers });
    const refused = await send(`${url}/api/v1/staging/policy`, { body: "{" });
    const delivered = await spans();
    const span = spanNamed(delivered, `POST ${route}`);
    expect(span.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": route,
      "policy.environment": "production",
      "http.response.status_code": 200,
      "http.response.body.size": answer.body.length,
      "policy.request_id": jsonOf(answer).meta.request_id,
      "policy.apps": Object.keys(workedRequest.policy_table.app_policies).filter(isApp).length,
    });
    // Vehicles decide nothing about traces.
    expect(span).toMatchObject({ kind: 2 });
    expect(span.parentSpanId).toBeUndefined();
    expect(span.traceId).not.toBe(trace);
    expect(spanNamed(delivered, "POST /api/v1/staging/policy").attributes).toMatchObject({
      "http.response.status_code": refused.status,
      "policy.environment": "staging",
    });
    expect(text()).not.toContain("open-sesame");
    for (const id of Object.keys(workedRequest.policy_table.app_policies).filter(isApp))
      expect(text()).not.toContain(id);
  });

  it("O4: one that is not chosen leaves no span", async () => {
    const { spans } = await collectTraces();
    const { url, events } = await serveWorkedExample({ traces: new VehicleWorkerTraces(0) });
    for (let at = 0; at < 20; at++) expect((await send(url + route, { body })).status).toBe(200);
    expect(events).toHaveLength(20);
    expect(await spans()).toEqual([]);
  });
});

const isApp = (id: string) => id !== "default" && id !== "device" && id !== "pre_DataConsent";

describe("O4: passing on", () => {
  async function passOn(share: number, headers: Record<string, string>) {
    const collected = await collectTraces();
    const traces = new VehicleWorkerTraces(share);
    const { url, seen } = await startGateway((_request, response) => response.end("ok"), { traces });
    await send(`${url}/api/v1/groups?secret=open-sesame`, { method: "GET", headers });
    await expect.poll(() => seen.length, timeout).toBe(1);
    const { rawHeaders = [] } = seen[0]?.head ?? {};
    const told = rawHeaders.filter((_one, at) => rawHeaders[at - 1]?.toLowerCase() === "traceparent" && at % 2 === 1);
    return { told, spans: await collected.spans(), text: collected.text() };
  }

  it("O4: a chosen request tells the console of its span", async () => {
    const { told, spans, text } = await passOn(1, {});
    const span = spanNamed(spans, "pass on GET");
    expect(told).toEqual([`00-${span.traceId}-${span.spanId}-01`]);
    expect(span.attributes).toMatchObject({ "url.path": "/api/v1/groups", "http.response.status_code": 200 });
    expect(text).not.toContain("open-sesame");
  });

  it("O4: who leaves before an answer was given no status, and nothing has failed", async () => {
    const collected = await collectTraces();
    const traces = new VehicleWorkerTraces(1);
    const over: (number | null)[] = [];
    const observePassedOn = (status: number | null) => over.push(status);
    const { port, seen } = await startGateway(() => undefined, { traces, observePassedOn });
    const leaving = request({ host: "127.0.0.1", port, path: "/api/v1/groups" }).on("error", () => undefined);
    leaving.end();
    await expect.poll(() => seen.length, timeout).toBe(1);
    leaving.destroy();
    await expect.poll(() => over, timeout).toEqual([null]);
    const { attributes, status } = spanNamed(await collected.spans(), "pass on GET");
    expect(attributes).toEqual({
      "http.request.method": "GET",
      "url.path": "/api/v1/groups",
      "policy.is_complete": false,
    });
    expect(status.code).toBe(0);
  });

  it("O4: a client's own trace is continued, whatever the share is", async () => {
    const { told, spans } = await passOn(0, { Traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    const span = spanNamed(spans, "pass on GET");
    expect(span).toMatchObject({ traceId: trace, parentSpanId: "00f067aa0ba902b7" });
    expect(told).toEqual([`00-${trace}-${span.spanId}-01`]);
  });

  it("O4: one that a client does not record is passed on as it is", async () => {
    const silent = `00-${trace}-00f067aa0ba902b7-00`;
    const { told, spans } = await passOn(1, { traceparent: silent });
    expect([told, spans]).toEqual([[silent], []]);
  });

  it("O4: one that is not chosen has none", async () => {
    const { told, spans } = await passOn(0, {});
    expect([told, spans]).toEqual([[], []]);
  });
});
