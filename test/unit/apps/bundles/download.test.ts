import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { Network } from "@/lib/apps/bundles/handler";
import { handleBundle, type BundleOptions } from "@/lib/apps/bundles/handlers";
import { realNetwork } from "@/lib/apps/bundles/network";
import type { Settings } from "@/lib/platform/settings";
import { createTestAuthority, type TestAuthority } from "@/test/support/authority";
import { bundleSettings, endBundleHosts, filesOf, startBundleHost } from "@/test/support/bundle-host";
import { buildZip } from "@/test/support/zip";

endBundleHosts();

const zip = buildZip([{ name: "index.html", content: "x".repeat(1000) }]);
const sendZip: RequestListener = (_request, response) => response.end(zip);
const open = { BUNDLE_ALLOW_PRIVATE: "true" };
const openSettings = bundleSettings(open);
const strictSettings = bundleSettings();

async function handle(url: string, settings: Settings = openSettings, options: BundleOptions = {}) {
  try {
    return await handleBundle(url, settings, options);
  } finally {
    expect(filesOf(settings)).toEqual([]);
  }
}
const refusal = (url: string, settings?: Settings, options?: BundleOptions): Promise<string> =>
  handle(url, settings, options).then(
    () => "no refusal",
    (error: unknown) => {
      if (!(error instanceof Error) || error.name !== "BundleError") throw error;
      return error.message;
    },
  );

/** A network in which every name stands for these addresses, one answer after the other, and only 127.0.0.1 is public. */
function testNetwork(...answers: readonly (readonly string[])[]): Network & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: (host) => {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(host);
      return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
    },
    isAllowed: (address) => address === "127.0.0.1",
  };
}

describe("BUNDLE_HANDLER=none (directory.md section 8)", () => {
  it("S8: keeps the directory's address, measures the bundle, and stores nothing", async () => {
    const host = await startBundleHost(sendZip);
    const url = `${host.url}/app.zip?version=3`;
    expect(await handle(url)).toEqual({ url, sizeCompressedBytes: zip.length, sizeDecompressedBytes: 1000 });
    expect(host.requests()).toBe(1);
  });

  it("asks for the bytes as they are", async () => {
    let headers: unknown;
    const host = await startBundleHost((request, response) => {
      headers = request.headers;
      response.end(zip);
    });
    await handle(host.url);
    expect(headers).toMatchObject({ "accept-encoding": "identity", connection: "close" });
    expect(headers).not.toHaveProperty("public_key");
  });

  it("refuses what is no archive", async () => {
    const host = await startBundleHost((_request, response) => response.end("<html>Sign in</html>"));
    expect(await refusal(host.url)).toBe("The bundle is not a zip archive, or it is damaged");
  });
});

describe("addresses", () => {
  it.each([
    ["", "The bundle's address is not a URL"],
    ["bundle.zip", "The bundle's address is not a URL"],
    ["ftp://example.com/a.zip", "The bundle's address is neither https nor http"],
    ["file:///etc/passwd", "The bundle's address is neither https nor http"],
    ["data:application/zip;base64,UEsFBg==", "The bundle's address is neither https nor http"],
    ["https://name:secret@example.com/a.zip", "The bundle's address holds a user name or password"],
    ["https://name@example.com/a.zip", "The bundle's address holds a user name or password"],
  ])("%s: %s", async (url, message) => expect(await refusal(url)).toBe(message));

  it("uses plain http only with BUNDLE_ALLOW_PRIVATE", async () => {
    const host = await startBundleHost(sendZip);
    expect(await refusal(host.url, strictSettings)).toContain("BUNDLE_ALLOW_PRIVATE=true");
    expect(host.connections()).toBe(0);
  });

  it("asks no private address, however it is written, without BUNDLE_ALLOW_PRIVATE", async () => {
    const { port, connections } = await startBundleHost(sendZip);
    const spellings = ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0.0.0.0", "127.0.0.1."];
    const others = ["localhost", "LOCALHOST", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "１２７.0.0.1"];
    for (const host of [...spellings, ...others]) {
      const message = await refusal(`http://${host}:${port}/`, openSettings, { network: realNetwork(false) });
      expect(message, host).toContain("has no public address");
    }
    for (const host of ["10.0.0.1", "192.168.0.1", "169.254.169.254", "[fe80::1]", "[64:ff9b::a9fe:a9fe]"]) {
      expect(await refusal(`https://${host}/`, strictSettings), host).toContain("has no public address");
    }
    expect(connections()).toBe(0);
  });

  it("connects to an address that was checked: a name is looked up once, and other addresses are passed over", async () => {
    const host = await startBundleHost(sendZip);
    const network = testNetwork(["10.0.0.1", "127.0.0.1", "::1"], ["127.0.0.2"]);
    expect(await handle(`http://bundles.example:${host.port}/`, openSettings, { network })).toMatchObject({
      sizeDecompressedBytes: 1000,
    });
    expect(network.asked).toEqual(["bundles.example"]);
    expect(host.requests()).toBe(1);
  });

  it("does not tell which private address a name has", async () => {
    const network = testNetwork(["10.1.2.3"]);
    expect(await refusal("https://intranet.example/a.zip", strictSettings, { network })).toBe(
      "The host intranet.example has no public address; private ones are asked only with BUNDLE_ALLOW_PRIVATE=true",
    );
  });
});

describe("redirects", () => {
  const redirectTo = (location: () => string, status = 302): RequestListener => {
    return (_request, response) => response.writeHead(status, { Location: location() }).end("moved");
  };

  it.each([301, 302, 303, 307, 308])("follows %i, also to a path, and keeps the first address", async (status) => {
    const host = await startBundleHost((request, response) => {
      if (request.url === "/a/b.zip") sendZip(request, response);
      else redirectTo(() => "a/b.zip", status)(request, response);
    });
    const url = `${host.url}/start`;
    expect(await handle(url)).toMatchObject({ url, sizeCompressedBytes: zip.length });
  });

  it("follows at most 3", async () => {
    const host = await startBundleHost((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) sendZip(request, response);
      else redirectTo(() => `/${left - 1}`)(request, response);
    });
    expect(await handle(`${host.url}/3`)).toMatchObject({ sizeCompressedBytes: zip.length });
    const before = host.requests();
    expect(await refusal(`${host.url}/4`)).toBe("The bundle's address was redirected more than 3 times");
    expect(host.requests() - before).toBe(4);
  });

  it("checks every address on the way", async () => {
    const inside = await startBundleHost(sendZip, { address: "127.0.0.2" });
    let target = "";
    const host = await startBundleHost(redirectTo(() => target));
    for (target of [inside.url, `http://name.example:${inside.port}/`, "http://169.254.169.254/latest/meta-data/"]) {
      const network = testNetwork(["127.0.0.2"]);
      expect(await refusal(host.url, openSettings, { network }), target).toContain("has no public address");
    }
    for (target of ["file:///etc/passwd", "gopher://127.0.0.1/"]) {
      const network = testNetwork(["127.0.0.1"]);
      expect(await refusal(host.url, openSettings, { network })).toContain("neither https nor http");
    }
    target = `http://name:secret@127.0.0.1:${host.port}/`;
    expect(await refusal(host.url, openSettings, { network: testNetwork([]) })).toContain("user name or password");
    expect(inside.connections()).toBe(0);
  });

  it("looks a name up again for each: one that changes its address in between is refused", async () => {
    const inside = await startBundleHost(sendZip, { address: "127.0.0.2" });
    const host = await startBundleHost(redirectTo(() => `http://rebind.example:${inside.port}/`));
    const network = testNetwork(["127.0.0.1"], ["127.0.0.2"]);
    const first = `http://rebind.example:${host.port}/`;
    expect(await refusal(first, openSettings, { network })).toContain("no public address");
    expect(network.asked).toEqual(["rebind.example", "rebind.example"]);
    expect(inside.connections()).toBe(0);
  });

  it("is refused without a place to go to", async () => {
    const host = await startBundleHost((_request, response) => response.writeHead(302).end());
    expect(await refusal(host.url)).toBe("The host 127.0.0.1 answered with status 302");
    const other = await startBundleHost(redirectTo(() => "http://["));
    expect(await refusal(other.url)).toBe("The bundle's address is not a URL");
  });
});

describe("TLS", () => {
  let authority: TestAuthority;
  let tls: { key: string; cert: string };
  let ca: string;
  beforeAll(() => {
    authority = createTestAuthority();
    const { certificate, privateKey } = authority.aPair({ commonName: "bundles.example" });
    tls = { key: privateKey, cert: certificate };
    ca = readFileSync(authority.caCertificatePath, "utf8");
  });

  it("downloads by https from a host whose certificate is right, of an authority that is known", async () => {
    const host = await startBundleHost(sendZip, { tls });
    const network = testNetwork(["127.0.0.1"]);
    const sentence = "has no usable TLS certificate";
    const [unknown, other] = ["bundles", "other"].map((name) => `https://${name}.example:${host.port}/`);
    expect(await refusal(unknown ?? "", strictSettings, { network })).toContain(sentence);
    expect(await refusal(other ?? "", strictSettings, { network: { ...network, ca } })).toContain(sentence);
    expect(host.requests()).toBe(0);
    const url = `https://bundles.example:${host.port}/a.zip`;
    const handled = await handle(url, strictSettings, { network: { ...network, ca } });
    expect(handled).toMatchObject({ url, sizeCompressedBytes: zip.length });
  });

  it("refuses a redirect from https to http unless BUNDLE_ALLOW_PRIVATE is set", async () => {
    const plain = await startBundleHost(sendZip);
    const location = `http://plain.example:${plain.port}/`;
    const host = await startBundleHost((_request, response) => response.writeHead(302, { location }).end(), { tls });
    const network = { ...testNetwork(["127.0.0.1"]), ca };
    const url = `https://bundles.example:${host.port}/`;
    expect(await refusal(url, strictSettings, { network })).toBe(
      "The bundle's address was redirected to plain http, which is used only with BUNDLE_ALLOW_PRIVATE=true",
    );
    expect(plain.connections()).toBe(0);
    expect(await handle(url, openSettings, { network })).toMatchObject({ url });
  });
});

describe("size", () => {
  const limited = (maxBytes: number) => [openSettings, { maxBytes }] as const;

  it("may be 256 MiB, here less, and not one byte more, with and without Content-Length", async () => {
    const chunked: RequestListener = (_request, response) => {
      response.write(zip.subarray(0, 10));
      response.end(zip.subarray(10));
    };
    const whole: RequestListener = (_request, response) =>
      response.writeHead(200, { "Content-Length": zip.length }).end(zip);
    for (const answer of [chunked, whole]) {
      const { url } = await startBundleHost(answer);
      expect(await handle(url, ...limited(zip.length))).toMatchObject({ sizeCompressedBytes: zip.length });
      expect(await refusal(url, ...limited(zip.length - 1))).toContain("larger than");
    }
  });

  it("is refused early by Content-Length", async () => {
    let isOver = false;
    const host = await startBundleHost((_request, response) => {
      response.writeHead(200, { "Content-Length": 10_000_000 }).write("x");
      response.on("close", () => (isOver = true));
    });
    expect(await refusal(host.url, ...limited(9_999_999))).toContain("9999999 bytes");
    await expect.poll(() => isOver).toBe(true);
  });

  it("is counted while an endless bundle arrives", async () => {
    let sent = 0;
    const host = await startBundleHost((_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", more);
      more();
    });
    expect(await refusal(host.url, ...limited(1_000_000))).toContain("larger than");
    expect(sent).toBeLessThan(100_000_000);
  });

  it("is not what something unpacks to: an encoded answer is refused", async () => {
    const host = await startBundleHost((_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(zip)),
    );
    expect(await refusal(host.url)).toBe("The host 127.0.0.1 sent the bundle in another encoding than asked for");
    const same = await startBundleHost((_request, response) =>
      response.writeHead(200, { "Content-Encoding": "identity" }).end(zip),
    );
    expect(await handle(same.url)).toMatchObject({ sizeCompressedBytes: zip.length });
  });
});

describe("failures", () => {
  it.each([201, 204, 206, 304, 401, 404, 500, 503])("refuses the status %i", async (status) => {
    const host = await startBundleHost((_request, response) => response.writeHead(status).end());
    expect(await refusal(host.url)).toBe(`The host 127.0.0.1 answered with status ${status}`);
  });

  const breakOff: RequestListener = (_request, response) => {
    response.writeHead(200, { "Content-Length": zip.length }).write(zip.subarray(0, 50));
    setTimeout(() => response.destroy(), 20);
  };
  it.each<[string, string, RequestListener]>([
    ["resets", "broke the connection off", ({ socket }) => socket.destroy()],
    ["breaks off in the middle", "broke the connection off", breakOff],
    ["speaks no HTTP", "does not answer in HTTP", ({ socket }) => socket.end("SSH-2.0\r\n\r\n")],
  ])("says it when the host %s", async (_, sentence, answer) => {
    const host = await startBundleHost(answer);
    expect(await refusal(host.url)).toMatch(new RegExp(`^The host 127.0.0.1 ${sentence} \\(\\w+\\)$`));
  });

  it("says it when nobody listens or there is no such host", async () => {
    const addresses = ["127.0.0.3", "127.0.0.4"].map((address) => ({ address, family: 4 }));
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND gone.example"), { code: "ENOTFOUND" });
    const resolve = (name: string) => (name === "gone.example" ? Promise.reject(unknown) : Promise.resolve(addresses));
    const network = { ...realNetwork(true), resolve };
    expect(await refusal("http://gone.example/", openSettings, { network })).toBe(
      "The host gone.example cannot be found (ENOTFOUND)",
    );
    expect(await refusal("http://closed.example:1/", openSettings, { network })).toBe(
      "The host closed.example refuses connections (ECONNREFUSED)",
    );
  });

  const drip: RequestListener = (_request, response) => {
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  };
  it.each<[string, RequestListener]>([
    ["never answers", () => undefined],
    ["never ends", (_request, response) => response.write(zip.subarray(0, 20))],
    ["drips", drip],
  ])("gives up after the deadline when the host %s", async (_, answer) => {
    const host = await startBundleHost(answer);
    expect(await refusal(host.url, openSettings, { deadlineMs: 200 })).toBe(
      "The bundle of 127.0.0.1 was given up: there was no time left",
    );
  });

  it("gives up when the caller does", async () => {
    const stop = new AbortController();
    const host = await startBundleHost(() => stop.abort());
    expect(await refusal(host.url, openSettings, { signal: stop.signal })).toContain("given up");
    expect(await refusal(host.url, openSettings, { signal: AbortSignal.abort() })).toContain("given up");
  });

  it("has a sentence for a disk that cannot be written", async () => {
    const host = await startBundleHost(sendZip);
    const file = path.join(bundleSettings().dataDir, "file");
    writeFileSync(file, "");
    const message = await handleBundle(host.url, { ...openSettings, dataDir: file }).catch(String);
    expect(message).toBe("BundleError: The bundle cannot be kept on the disk (ENOTDIR)");
  });
});

describe("handlers of a site (docs/bundles.md)", () => {
  const answering = (answer: unknown) => {
    const handler = () => Promise.resolve(answer as never);
    return { handlers: { none: handler, local: handler, s3: handler } };
  };

  it("are asked instead of ours, with the address and the settings", async () => {
    const given: unknown[] = [];
    const handled = { url: "https://cdn.example/1", sizeCompressedBytes: 1, sizeDecompressedBytes: 2 };
    const { none, ...others } = answering(handled).handlers;
    const handler: typeof none = (...calls: unknown[]) => (given.push(...calls), none());
    expect(await handle("any text", openSettings, { handlers: { ...others, none: handler } })).toEqual(handled);
    expect(given).toMatchObject([{ packageUrl: "any text", settings: openSettings }]);
  });

  it.each([
    undefined,
    null,
    {},
    { url: "https://a.example/", sizeCompressedBytes: 1 },
    { url: "/relative", sizeCompressedBytes: 1, sizeDecompressedBytes: 1 },
    { url: "javascript:1", sizeCompressedBytes: 1, sizeDecompressedBytes: 1 },
    { url: "https://a.example/", sizeCompressedBytes: 0, sizeDecompressedBytes: 1 },
    { url: "https://a.example/", sizeCompressedBytes: 1, sizeDecompressedBytes: 1.5 },
    { url: "https://a.example/", sizeCompressedBytes: "1", sizeDecompressedBytes: 1 },
  ])("must answer all three members: %o", async (answer) => {
    expect(await refusal("https://a.example/", openSettings, answering(answer))).toBe(
      "The bundle handler answered without an address and both sizes",
    );
  });
});
