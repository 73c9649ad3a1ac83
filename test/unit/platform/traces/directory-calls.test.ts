import { expect, it } from "vitest";
import { createDirectoryClient } from "@/lib/apps/directory/client/client";
import { inSpan } from "@/lib/platform/traces/traces";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { endStubs, envelope, serveHttp } from "@/test/support/http-stub";

endStubs();

const keys = { publicKey: "public-7f3a", secretKey: "secret-9b1c" };
const application = "GET /base/api/v2/application";

it("O4: a call of the directory is a span with method, host, path and status, and neither its query nor a key", async () => {
  const { spans, text } = await collectTraces();
  const stub = await serveHttp(() => ({ body: envelope({ applications: [] }) }));
  const client = createDirectoryClient({ baseUrl: `${stub.url}/base`, ...keys, rpcSpecUrl: "http://unused" });
  await inSpan("task", { kind: "internal" }, () => client.applications(["uuid-of-a-private-app"]));
  const delivered = await spans();
  expect(stub.seen[0]?.search).toContain("uuid-of-a-private-app");
  const call = spanNamed(delivered, application);
  expect(call).toMatchObject({ kind: 3, parentSpanId: spanNamed(delivered, "task").spanId });
  expect(call.attributes).toEqual({
    "http.request.method": "GET",
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(stub.url).port),
    "url.path": "/base/api/v2/application",
    "http.response.status_code": 200,
  });
  for (const secret of [keys.publicKey, keys.secretKey, "uuid-of-a-private-app"]) expect(text()).not.toContain(secret);
  // The directory is not ours: it is told nothing of traces.
  expect(stub.seen[0]?.headers).not.toHaveProperty("traceparent");
});

it("O4: every attempt is a span of its own, and one that fails says how", async () => {
  const { spans, text } = await collectTraces();
  const stub = await serveHttp((_request, number) =>
    number === 0
      ? { status: 500, body: envelope({}, `no ${keys.secretKey}`) }
      : { body: envelope({ applications: [] }) },
  );
  const endpoint = { baseUrl: `${stub.url}/base`, ...keys, rpcSpecUrl: "http://unused" };
  await createDirectoryClient(endpoint, { repeatAfterMs: [1] }).applications(["a"]);
  await stub.close();
  await expect(createDirectoryClient(endpoint, { repeatAfterMs: [] }).applications(["a"])).rejects.toThrow(
    "ECONNREFUSED",
  );
  const calls = (await spans()).filter(({ name }) => name === application);
  expect(calls.map(({ status, attributes }) => [status.code, attributes["http.response.status_code"]])).toEqual([
    [2, 500],
    [0, 200],
    [2, undefined],
  ]);
  expect(calls[2]?.attributes["error.type"]).toBe("DirectoryFailed");
  expect(text()).not.toContain(keys.secretKey);
});
