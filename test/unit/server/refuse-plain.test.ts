import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { prepareForNext } from "@/server/prepare-for-next";
import { refusePlain } from "@/server/refusals/refuse-plain";
import { listenToEnd } from "@/test/support/listen";
import { readSettings } from "@/test/support/settings";

const tls = {
  POLICY_SERVER_HOST: "policy.example.com",
  POLICY_SERVER_PORT_SSL: "8443",
  SSL_CERTIFICATE_FILENAME: "server.crt",
  SSL_PRIVATE_KEY_FILENAME: "server.key",
};
async function serve(env: Record<string, string>): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const settings = readSettings(env);
  const prepare = prepareForNext(settings);
  const isRefused = refusePlain(settings);
  const server = createServer((request, response) => {
    prepare(request, response);
    if (!isRefused(request, response)) response.writeHead(204).end();
  });
  const port = await listenToEnd(server);
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });
}

describe("finding B10: the plain port while TLS is on", () => {
  it("redirects pages to their https address, whatever host the request names", async () => {
    const ask = await serve(tls);
    for (const path of ["/", "/login?redirect=%2Fgroups", "/applications/4", "/_next/static/x.js", "/apiary"]) {
      const answer = await ask(path, { headers: { "x-forwarded-host": "evil.example" } });
      expect([answer.status, answer.headers.get("location")]).toEqual([308, `https://policy.example.com:8443${path}`]);
    }
    expect((await ask("//evil.example/x")).headers.get("location")).toBe(
      "https://policy.example.com:8443/evil.example/x",
    );
  });

  it.each([
    ["GET", "/api/v1/about"],
    ["GET", "/api/1/applications"],
    ["POST", "/api/v1/login"],
    ["POST", "/api/auth/password"],
    ["POST", "/api/v1/groups/promote"],
    ["POST", "/login"],
    ["PUT", "/api/v1/applications/rpcEncryption"],
    ["GET", "/api/v1/applications/store/../about"],
    ["GET", "/api/v1/applications/storekeeper"],
  ])("refuses %s %s with a sentence", async (method, path) => {
    const answer = await (await serve(tls))(path, { method, ...(method === "GET" ? {} : { body: "{}" }) });
    expect(answer.status).toBe(403);
    const { meta }: any = await answer.json();
    expect(meta).toMatchObject({ code: 403, message: expect.stringContaining("https://policy.example.com:8443") });
  });

  it.each([
    ...["/health", "/health/ready", "/version", "/metrics", "/api/v1/webhook", "/webhooks/", "/bundles/abc.zip"],
    ...["/api/v1/applications/certificate/get?appId=x", "/api/1/applications/store/staging/"],
    "/api/v1/production/policy",
  ])("leaves %s to machines", async (path) => expect((await (await serve(tls))(path)).status).toBe(204));

  it("refuses certificate/get where only administrators may use it", async () => {
    const ask = await serve({ ...tls, APP_CERTIFICATE_GET: "admin" });
    expect((await ask("/api/v1/applications/certificate/get?appId=x")).status).toBe(403);
  });

  it("does nothing without TLS, nor to what a trusted proxy took over TLS; a stranger's word counts nothing", async () => {
    expect((await (await serve({}))("/api/v1/about")).status).toBe(204);
    const https = { headers: { "x-forwarded-proto": "https" } };
    expect((await (await serve({ ...tls, TRUST_PROXY_ADDRESSES: "127.0.0.0/8" }))("/api/v1/about", https)).status).toBe(
      204,
    );
    expect((await (await serve(tls))("/api/v1/about", https)).status).toBe(403);
  });
});

it("finding B10: Strict-Transport-Security is sent behind a trusted proxy with TLS, not on a plain line", async () => {
  const https = { headers: { "x-forwarded-proto": "https" } };
  const trusting = await serve({ TRUST_PROXY_ADDRESSES: "127.0.0.0/8" });
  expect((await trusting("/", https)).headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect((await trusting("/")).headers.get("strict-transport-security")).toBeNull();
  expect((await (await serve({}))("/", https)).headers.get("strict-transport-security")).toBeNull();
});
