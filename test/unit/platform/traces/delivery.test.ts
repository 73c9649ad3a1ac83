import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { reportDelivery } from "@/lib/platform/traces/sdk";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";
import { beginSpan, isTracing, replaceTracer } from "@/lib/platform/traces/traces";
import { listenToEnd } from "@/test/support/listen";

const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
beforeEach(() => {
  warn.mockClear();
});
afterEach(() => {
  replaceTracer(null);
});

const settingsFor = (url: string) => ({
  ...{ otelExporterOtlpEndpoint: url, otelExporterOtlpHeaders: { authorization: "key-5ad1" } },
});

async function serve(listener: Parameters<typeof createServer>[1]) {
  const server = createServer(listener);
  return { server, url: `http://127.0.0.1:${await listenToEnd(server)}/` };
}

describe("O4: a collector that cannot be reached", () => {
  it("O4: disturbs nothing, and is one line in the log that holds no secret", async () => {
    const { server, url } = await serve(() => undefined);
    server.close();
    await once(server, "close");
    await startTraces(settingsFor(url), "console");
    // Several deliveries' worth.
    for (let at = 0; at < 3_000; at++) beginSpan(`span ${at}`, { kind: "internal" })?.end();
    await stopTraces(120_000);
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toEqual({ code: "ECONNREFUSED" });
    expect(JSON.stringify(warn.mock.calls)).not.toContain("key-5ad1");
  });

  it("O4: one that refuses is named by its status, not by its words", async () => {
    const { url } = await serve((_request, response) => response.writeHead(401).end("your key-5ad1 is wrong"));
    await startTraces(settingsFor(url), "console");
    beginSpan("one", { kind: "internal" })?.end();
    await stopTraces(120_000);
    expect(warn.mock.calls.map(([details]) => details)).toEqual([{ code: 401 }]);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("key-5ad1");
  });

  it("O4: one that never answers holds no stop up for longer than it may", async () => {
    let arrived = 0;
    const { server, url } = await serve(() => arrived++);
    await startTraces(settingsFor(url), "console");
    beginSpan("one", { kind: "internal" })?.end();
    const connected = once(server, "request");
    await Promise.all([stopTraces(500), connected]);
    expect(isTracing()).toBe(false);
    expect(arrived).toBe(1);
  });

  it("O4: is told once, also one that comes and goes, and at most once a minute", () => {
    const told = { info: vi.fn(), warn: vi.fn() };
    let [code, now] = [1, 0];
    const exporter = reportDelivery(
      {
        export: (_spans, done) => {
          Reflect.apply(done, undefined, [{ code, error: new Error("gone") }]);
        },
        shutdown: () => Promise.resolve(),
      },
      told,
      () => now,
    );
    const deliver = (result: number, at: number) => {
      [code, now] = [result, at];
      const done = vi.fn();
      exporter.export([], done);
      expect(done).toHaveBeenCalledWith(expect.objectContaining({ code: result }));
      return [told.warn.mock.calls.length, told.info.mock.calls.length];
    };
    expect(deliver(0, 0)).toEqual([0, 0]);
    expect(deliver(1, 1_000)).toEqual([1, 0]);
    for (let at = 2; at < 60; at++) expect(deliver(at % 2, at * 1_000)).toEqual([1, 0]);
    expect(deliver(1, 70_000)).toEqual([1, 0]);
    expect(deliver(0, 75_000)).toEqual([1, 1]);
    expect(deliver(1, 80_000)).toEqual([1, 1]);
    expect(deliver(1, 140_000)).toEqual([2, 1]);
  });
});
