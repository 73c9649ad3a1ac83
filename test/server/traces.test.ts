import { expect, it, onTestFinished } from "vitest";
import { type DeliveredSpan, readSpans, spanNamed } from "@/test/support/collector";
import { endStubs, serveHttp } from "@/test/support/http-stub";
import { aloneEnvironment, startServer } from "@/test/support/server";
import { whenAnswered } from "@/test/support/processes";
import { workedRequest } from "@/test/support/worked-example";

endStubs();

const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

async function traced(env: Readonly<Record<string, string>>) {
  const collector = await serveHttp(() => ({ body: {} }));
  const server = await startServer({
    env: { ...aloneEnvironment, AUTH_TYPE: "none", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
  });
  onTestFinished(() => server.stop("SIGKILL"));
  await whenAnswered(`${server.origin}/api/v1/groups`);
  const headers = { traceparent: `00-${trace}-${parent}-01` };
  const asked = await fetch(`${server.origin}/api/v1/groups?environment=staging&note=open-sesame`, { headers });
  const vehicle = await fetch(`${server.origin}/api/v1/production/policy`, {
    method: "POST",
    body: JSON.stringify(workedRequest),
  });
  expect([asked.status, vehicle.status]).toEqual([200, 200]);
  const [answer] = [await asked.json(), await vehicle.text()];
  await server.stop();
  const spans: DeliveredSpan[] = collector.seen.flatMap(({ body }) => readSpans(body));
  return { spans, answer, collector, server };
}

it("O4: traces of all processes: O4: a request of the API is one trace from its client over the vehicle worker and the console to the database", async () => {
  const { spans, answer, collector, server } = await traced({
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=collector-key",
    LOG_LEVEL: "debug",
  });
  const own = spans.filter(({ traceId }) => traceId === trace);
  const vehicleWorker = spanNamed(own, "pass on GET");
  const request = spanNamed(own, "GET /api/v1/groups");
  expect(vehicleWorker).toMatchObject({
    parentSpanId: parent,
    resource: { "service.instance.id": expect.stringMatching(/\/vehicle-worker-1$/) },
  });
  expect(request).toMatchObject({ parentSpanId: vehicleWorker.spanId });
  expect(request.resource["service.instance.id"]).toMatch(/\/console$/);
  expect(request.attributes["policy.request_id"]).toBe(answer.meta.request_id);
  const commands = own.filter(({ attributes }) => attributes["db.system.name"] === "mongodb");
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(command.parentSpanId).toBe(request.spanId);
  expect(spanNamed(spans, "POST /api/v1/production/policy").resource["service.instance.id"]).toMatch(
    /\/vehicle-worker-1$/,
  );
  expect(collector.seen.every(({ headers }) => headers.authorization === "collector-key")).toBe(true);
  expect(collector.seen.map(({ body }) => body).join()).not.toMatch(/open-sesame|collector-key/);
  expect(server.output().join("\n")).not.toContain("collector-key");
});
