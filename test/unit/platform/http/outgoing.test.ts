import { get } from "node:https";
import { inspect } from "node:util";
import { afterEach, beforeAll, describe, expect, it, vi, onTestFinished } from "vitest";
import { handleBundle } from "@/lib/apps/bundles/handlers";
import { realNetwork } from "@/lib/apps/bundles/network";
import { callDirectory } from "@/lib/apps/directory/client/call";
import { findProvider, forgetProvider } from "@/lib/platform/auth/people/provider";
import { OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import { endOutgoing, fetchOutgoing } from "@/lib/platform/http/outgoing-fetch";
import { findProxy } from "@/lib/platform/http/outgoing-proxy";
import { createLog } from "@/lib/platform/log";
import { loadSpecification } from "@/lib/records/rpc-specification/load";
import { loadSettings } from "@/lib/platform/settings";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";
import { beginSpan } from "@/lib/platform/traces/traces";
import { createTestAuthority, type TestAuthority } from "@/test/support/authority";
import { bundleSettings, endBundleHosts, startBundleHost } from "@/test/support/bundle-host";
import { endStubs, serveHttp } from "@/test/support/http-stub";
import { forgetSettings, useSettings as putSettings } from "@/test/support/settings";
import { buildZip } from "@/test/support/zip";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

interface Asked {
  /** `CONNECT` for a tunnel, otherwise the method of the request. */
  readonly method: string;
  /** Host and port of a tunnel, otherwise the whole URL. */
  readonly target: string;
  readonly authorization: string | undefined;
}

interface ForwardProxyOptions {
  /** The local port that everything is forwarded to, whatever the requested host. */
  readonly port: number;
  readonly status?: number;
  readonly isSilent?: boolean;
}

async function startForwardProxy({ port: to, status, isSilent = false }: ForwardProxyOptions) {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const note = (method: string, target: string, authorization: string | undefined) =>
    void asked.push({ method, target, authorization });
  const server = createServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    note(method, url, headers["proxy-authorization"]);
    if (status !== undefined) {
      response.writeHead(status).end();
      return;
    }
    const { pathname, search, host } = new URL(url);
    const onward = { ...headers, host };
    const outgoing = request(
      { host: "127.0.0.1", port: to, method, path: pathname + search, headers: onward },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on("connect", ({ url = "", headers }, client, head: Buffer) => {
    note("CONNECT", url, headers["proxy-authorization"]);
    if (isSilent) return;
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(to, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { asked, port, url: `http://127.0.0.1:${port}` };
}

endStubs();
endBundleHosts();
forgetSettings();
afterEach(async () => {
  await endOutgoing();
  forgetProvider();
  vi.unstubAllEnvs();
});

const secret = "hush-hush";
const authorization = `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`;
const portOf = (url: string) => Number(new URL(url).port);

let authority: TestAuthority;
let tls: { key: string; cert: string };
beforeAll(() => {
  authority = createTestAuthority();
  const { privateKey, certificate } = authority.aPair({ commonName: "host.example" });
  tls = { key: privateKey, cert: certificate };
});

/** What `fetch` and the identity provider's library offer no other way to. */
const trustAll = () => void vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");

async function throughProxy(port: number, more: Record<string, string> = {}, options: { status?: number } = {}) {
  const proxy = await startForwardProxy({ port, ...options });
  const address = proxy.url.replace("//", `//user:${secret}@`);
  const env = { HTTPS_PROXY: address, HTTP_PROXY: address, ...more };
  putSettings(env);
  return { ...proxy, env };
}

describe("O4: what goes through a proxy", () => {
  const proxyOf = (url: string, env: Record<string, string>) => {
    putSettings(env);
    return findProxy(new URL(url))?.href ?? null;
  };
  const both = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "plain:2" };

  it.each([
    ["https://example.com/", both, "http://secure:1/"],
    ["http://example.com/", both, "http://plain:2/"],
    ["http://example.com/", { HTTPS_PROXY: "http://secure:1" }, null],
    ["https://example.com/", { HTTP_PROXY: "http://plain:2" }, null],
    ["https://example.com/", { https_proxy: "http://lower:3", HTTPS_PROXY: "http://upper:4" }, "http://lower:3/"],
    ["http://example.com/", { http_proxy: "lower:3" }, "http://lower:3/"],
    ["https://localhost/", both, null],
    ["http://127.8.9.1:4318/", both, null],
    ["http://[::1]:4318/", both, null],
  ])("%s with %j: %s", (url, env, expected) => expect(proxyOf(url, env as Record<string, string>)).toBe(expected));

  it.each([
    ["example.com", "https://example.com/", true],
    ["example.com", "https://a.b.example.com/", true],
    [".example.com", "https://a.example.com/", true],
    ["*.example.com", "https://a.example.com/", true],
    ["example.com", "https://badexample.com/", false],
    ["EXAMPLE.com", "https://Example.COM/", true],
    ["example.com:8443", "https://example.com:8443/", true],
    ["example.com:8443", "https://example.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["other.com, example.com", "http://example.com/", true],
    ["other.com example.com", "http://example.com/", true],
    ["*", "http://example.com/", true],
    ["10.0.0.0/8", "http://10.1.2.3/", true],
    ["10.0.0.0/8", "http://11.1.2.3/", false],
    ["10.1.2.3", "http://10.1.2.3:81/", true],
    ["10.1.2.3:80", "http://10.1.2.3:81/", false],
    ["fd00::/8", "http://[fd00::7]/", true],
    ["[fd00::7]:81", "http://[fd00::7]:81/", true],
    ["fd00::7", "http://[fd00::8]/", false],
    ["", "http://example.com/", false],
  ])("NO_PROXY=%j exempts %s: %s", (NO_PROXY, url, isExempt) => {
    expect(proxyOf(url, { ...both, NO_PROXY })).toBe(
      isExempt ? null : url.startsWith("https") ? "http://secure:1/" : "http://plain:2/",
    );
    expect(proxyOf(url, { ...both, no_proxy: NO_PROXY })).toBe(proxyOf(url, { ...both, NO_PROXY }));
  });
});

describe("O4: each way out passes the proxy", () => {
  const viaProxy = (method: string, target: string) => ({ method, target, authorization });

  it("the app directory", async () => {
    const stub = await serveHttp(() => ({ body: { meta: {}, data: { answered: true } } }));
    const { asked } = await throughProxy(portOf(stub.url));
    const endpoint = { baseUrl: "http://directory.example", rpcSpecUrl: "", publicKey: "p", secretKey: "s" };
    const limits = { deadlineMs: 100_000, stops: [] };
    const call = { method: "GET", entity: "application" } as const;
    expect(await callDirectory(endpoint, call, limits)).toMatchObject({ data: { answered: true } });
    expect(asked).toEqual([viaProxy("GET", "http://directory.example/api/v2/application")]);
  });

  it("the RPC specification, redirections included", async () => {
    const stub = await serveHttp(({ path }) =>
      path === "/moved"
        ? { status: 302, headers: { Location: "http://other.example/spec" } }
        : { body: { version: "9.0.0" } },
    );
    const { asked } = await throughProxy(portOf(stub.url));
    expect(await loadSpecification("http://spec.example/moved")).toContain("9.0.0");
    expect(asked).toEqual([viaProxy("GET", "http://spec.example/moved"), viaProxy("GET", "http://other.example/spec")]);
  });

  it("fetch to an https address, by a tunnel", async () => {
    const host = await startBundleHost((_request, response) => response.end("there"), { tls });
    const { asked } = await throughProxy(host.port);
    trustAll();
    expect(await (await fetchOutgoing("https://spec.example/x")).text()).toBe("there");
    expect(asked).toEqual([viaProxy("CONNECT", "spec.example:443")]);
  });

  it("NO_PROXY is asked directly, also after a redirection to it", async () => {
    const stub = await serveHttp(({ path }) =>
      path === "/moved" ? { status: 302, headers: { Location: `${stub.url}/here` } } : { body: "direct" },
    );
    const { asked } = await throughProxy(portOf(stub.url));
    expect(await (await fetchOutgoing("http://spec.example/moved")).text()).toBe("direct");
    expect(asked).toHaveLength(1);
  });

  it("the identity provider", async () => {
    const issuer = "https://login.example";
    const host = await startBundleHost(
      (_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/keys` }));
      },
      { tls },
    );
    const oidc = {
      AUTH_TYPE: "oidc",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "c",
      OIDC_CLIENT_SECRET: "s",
      OIDC_ROLES: "admin=a",
    };
    const { asked } = await throughProxy(host.port, oidc);
    trustAll();
    expect(await findProvider()).toMatchObject({ issuer });
    expect(asked).toEqual([viaProxy("CONNECT", "login.example:443")]);
  });

  it("traces", async () => {
    const stub = await serveHttp(() => ({ body: {} }));
    const { asked } = await throughProxy(portOf(stub.url));
    const settings = {
      otelExporterOtlpEndpoint: "http://collector.example:4318",
      otelExporterOtlpHeaders: {},
    };
    await startTraces(settings, "console");
    beginSpan("one", { kind: "internal" })?.end();
    await stopTraces(100_000);
    expect(asked).toEqual([viaProxy("CONNECT", "collector.example:4318")]);
    expect(stub.seen.map(({ path }) => path)).toEqual(["/v1/traces"]);
  });

  const zip = buildZip([{ name: "index.html", content: "x" }]);

  it("object storage", async () => {
    const host = await startBundleHost((request, response) => {
      if (request.method === "GET") response.end(zip);
      else request.resume().on("end", () => response.writeHead(200, { ETag: '"tag"' }).end());
    });
    const { asked } = await throughProxy(host.port);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://s3.example");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-bucket");
    const open = { BUNDLE_ALLOW_PRIVATE: "true" };
    const settings = bundleSettings({
      BUNDLE_HANDLER: "s3",
      BUCKET_NAME: "bundles",
      AWS_REGION: "eu-central-1",
      ...open,
    });
    expect(await handleBundle(host.url, settings)).toMatchObject({
      url: expect.stringMatching(/^http:\/\/bundles\.s3\.example\//),
    });
    expect(asked).toEqual([viaProxy("CONNECT", "bundles.s3.example:80")]);
  });

  describe("downloads of bundles", () => {
    const handle = async (addresses: readonly string[], more: Record<string, string> = {}, options = {}) => {
      const host = await startBundleHost((_request, response) => response.end(zip), { tls });
      const proxy = await throughProxy(host.port, {}, options);
      const settings = bundleSettings({ BUNDLE_HANDLER: "none", ...more });
      const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
      const network = {
        ...realNetwork(settings.bundleAllowPrivate),
        resolve,
        ca: authority.openssl(["x509", "-in", "ca.crt"]),
      };
      const result = await handleBundle("https://host.example/a.zip", settings, { network }).then(
        ({ url }) => url,
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
      return { ...proxy, result };
    };

    it("are led to the address that was looked at, not to the name", async () => {
      const { asked, result } = await handle(["93.184.216.34"]);
      expect(result).toBe("https://host.example/a.zip");
      expect(asked).toEqual([viaProxy("CONNECT", "93.184.216.34:443")]);
    });

    it.each([["10.0.0.7"], ["127.0.0.1"], ["169.254.169.254"]])("ask no proxy for %s", async (address) => {
      const { asked, result } = await handle([address]);
      expect(result).toContain("The host host.example has no public address");
      expect(asked).toEqual([]);
    });

    it("leave names to the proxy where private addresses are allowed", async () => {
      const { asked, result } = await handle([], { BUNDLE_ALLOW_PRIVATE: "true" });
      expect(result).toBe("https://host.example/a.zip");
      expect(asked).toEqual([viaProxy("CONNECT", "host.example:443")]);
    });

    it("say that the proxy refuses them, and nothing of its password", async () => {
      const { asked, result } = await handle(["93.184.216.34"], {}, { status: 407 });
      expect(result).toBe(
        "The host host.example cannot be reached: the proxy of HTTPS_PROXY or HTTP_PROXY refuses it (EPROXY)",
      );
      expect(asked).toHaveLength(1);
    });
  });
});

describe("O4: the proxy's password", () => {
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "no failure",
      (error: unknown) =>
        `${inspect(error, { depth: 20, showHidden: true })} ${error instanceof Error ? error.message : ""}`,
    );

  it.each([{ status: 407 }, { status: 502 }, { port: 1 }])("is in no failure: %j", async (options) => {
    const { env } = await throughProxy(1, {}, options);
    if ("port" in options)
      putSettings(Object.fromEntries(Object.keys(env).map((name) => [name, `http://user:${secret}@127.0.0.1:1`])));
    for (const scheme of ["http", "https"]) {
      const failure = await failureOf(loadSpecification(`${scheme}://spec.example/`));
      expect(failure).toContain("could not be downloaded");
      if ("status" in options)
        expect(failure).toContain(scheme === "http" && options.status !== 407 ? "status 502" : "EPROXY");
      expect(failure).not.toContain(secret);
      expect(failure).not.toContain(authorization.slice(6));
    }
  });

  it("is in no line of the log and in no configuration error", () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => void lines.push(line) }, "info");
    putSettings({ HTTPS_PROXY: `http://user:${secret}@proxy.example` });
    log.info(loadSettings(), "settings");
    log.warn({ err: new Error(`connect to http://user:${secret}@proxy.example failed`) }, "failed");
    expect(lines.join("")).not.toContain(secret);
    for (const value of [
      `socks5://user:${secret}@a`,
      `http://user:${secret}@a/path`,
      `http://user:${secret}%@a`,
      `http://user:${secret}%ff@a`,
      "nonsense",
    ])
      expect(() => putSettings({ HTTPS_PROXY: value })).toThrow(
        /^HTTPS_PROXY must be the http or https URL of a proxy, without path$/,
      );
  });

  it("a proxy that says nothing is given up in time", async () => {
    const { url } = await startForwardProxy({ port: 1, isSilent: true });
    putSettings({ HTTPS_PROXY: url });
    const agent = new OutgoingHttpsAgent();
    const failure = new Promise<unknown>((resolve) => {
      get("https://host.example/", { agent, timeout: 50 }).on("error", resolve);
    });
    expect(await failure).toMatchObject({ code: "ETIMEDOUT", message: "The proxy did not connect in time" });
  });
});
