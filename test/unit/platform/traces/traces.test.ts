import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { beginSpan, currentSpan, inSpan, isTracing, withinSpan } from "@/lib/platform/traces/traces";
import { packageVersion } from "@/lib/platform/version";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { endStubs } from "@/test/support/http-stub";

endStubs();

it("O4: without a collector work is done as it is, and there are no spans", async () => {
  expect(isTracing()).toBe(false);
  expect(beginSpan("a", { kind: "server" })).toBeNull();
  expect(await inSpan("a", { kind: "internal" }, (span) => Promise.resolve([span, currentSpan()]))).toEqual([
    null,
    null,
  ]);
});

describe("O4: spans", () => {
  it("O4: arrive with who made them, at the path of OTLP, with the headers of the settings", async () => {
    const { seen, spans } = await collectTraces({ headers: { "x-key": "collector-key" } });
    await inSpan("work", { kind: "internal", attributes: { apps: 3, kind: "a", done: true } }, () => Promise.resolve());
    const span = spanNamed(await spans(), "work");
    expect(seen[0]).toMatchObject({ method: "POST", path: "/v1/traces" });
    expect(seen[0]?.headers).toMatchObject({ "x-key": "collector-key", "content-type": "application/json" });
    expect(span).toMatchObject({ kind: 1, attributes: { apps: 3, kind: "a", done: true } });
    expect(span.resource).toMatchObject({
      "service.name": "open-policy-server",
      "service.version": packageVersion,
      "service.instance.id": expect.stringMatching(/\/console$/),
      "process.pid": process.pid,
    });
  });

  it("O4: are parts of those they begin in, however much is done at the same time", async () => {
    const { spans } = await collectTraces();
    const nested = (name: string) =>
      inSpan(`outer ${name}`, { kind: "internal" }, async () => {
        await turn();
        await inSpan(`inner ${name}`, { kind: "client" }, () => turn());
      });
    await Promise.all(["a", "b", "c"].map(nested));
    const delivered = await spans();
    for (const name of ["a", "b", "c"]) {
      const [outer, inner] = [spanNamed(delivered, `outer ${name}`), spanNamed(delivered, `inner ${name}`)];
      expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, kind: 3 });
      expect(outer.parentSpanId).toBeUndefined();
    }
    expect(new Set(delivered.map((span) => span.traceId)).size).toBe(3);
  });

  it("O4: what goes on after the end of a span is no part of it", async () => {
    const { spans } = await collectTraces();
    let later: Promise<unknown> = Promise.resolve();
    await inSpan("request", { kind: "server" }, async () => {
      later = turn()
        .then(() => turn())
        .then(() => inSpan("afterwards", { kind: "internal" }, () => turn()));
      await Promise.resolve();
    });
    await later;
    expect(spanNamed(await spans(), "afterwards").parentSpanId).toBeUndefined();
  });

  it("O4: a failure is marked by its name alone, and goes on", async () => {
    const { spans, text } = await collectTraces();
    const work = inSpan("work", { kind: "internal" }, () => Promise.reject(new TypeError("password open-sesame")));
    await expect(work).rejects.toThrow("open-sesame");
    expect(spanNamed(await spans(), "work")).toMatchObject({
      status: { code: 2 },
      attributes: { "error.type": "TypeError" },
    });
    expect(text()).not.toContain("open-sesame");
  });

  it("O4: continue the trace of a traceparent, unless it is not to be recorded", async () => {
    const { spans } = await collectTraces();
    const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const continued = beginSpan("recorded", { kind: "server", parent: `00-${trace}-${parent}-01` });
    const silent = beginSpan("not recorded", { kind: "server", parent: `00-${trace}-${parent}-00` });
    if (continued === null || silent === null) throw new Error("no spans");
    expect(continued.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(silent.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    await withinSpan(silent, () => inSpan("part", { kind: "client" }, () => turn()));
    continued.end();
    silent.end();
    const delivered = await spans();
    expect(delivered.map(({ name }) => name)).toEqual(["recorded"]);
    expect(delivered[0]).toMatchObject({ traceId: trace, parentSpanId: parent });
  });

  it.each(["", "nonsense", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`])(
    "O4: a traceparent %j begins a trace of its own",
    async (parent) => {
      const { spans } = await collectTraces();
      beginSpan("own", { kind: "server", parent })?.end();
      expect(spanNamed(await spans(), "own").parentSpanId).toBeUndefined();
    },
  );
});
