import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleBundle } from "@/lib/apps/bundles/handlers";
import { bundleSettings, endBundleHosts, filesOf, startBundleHost } from "@/test/support/bundle-host";
import { buildZip } from "@/test/support/zip";

endBundleHosts();

interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly size: number;
}

let seen: SeenRequest[] = [];
let answer: (request: SeenRequest) => { status?: number; headers?: Record<string, string>; body?: string } | null;

/** A bucket as far as uploads need one. Null: no answer at all. */
const bucket: RequestListener = (request, response) => {
  let size = 0;
  request.on("data", (chunk: Buffer) => (size += chunk.length));
  request.on("end", () => {
    const { method = "", headers } = request;
    const one = { method, url: new URL(request.url ?? "/", "http://bucket.example"), headers, size };
    seen.push(one);
    const reply = answer(one);
    if (reply === null) return;
    const { status = 200, headers: own = {}, body = "" } = reply;
    response.writeHead(status, { ETag: '"tag"', ...own }).end(body);
  });
};

const accept: typeof answer = ({ url }) => {
  if (url.searchParams.has("uploads")) {
    return { body: "<InitiateMultipartUploadResult><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>" };
  }
  if (url.searchParams.has("partNumber")) return {};
  return url.searchParams.has("uploadId")
    ? { body: "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>" }
    : {};
};

const names = ["AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED"];
const before = names.map((name) => process.env[name]);
let endpoint = "";
beforeAll(async () => {
  ({ url: endpoint } = await startBundleHost(bucket));
  const values = [endpoint, "AKIATEST", "secret-of-the-bucket", "true"];
  names.forEach((name, index) => (process.env[name] = values[index]));
});
afterAll(() => {
  names.forEach((name, index) => {
    if (before[index] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[index];
  });
});

const settings = bundleSettings({
  BUNDLE_HANDLER: "s3",
  BUCKET_NAME: "bundles",
  AWS_REGION: "eu-central-1",
  BUNDLE_ALLOW_PRIVATE: "true",
});
const small = buildZip([{ name: "a", content: "x".repeat(1000) }]);
const large = buildZip([{ name: "a", content: randomBytes(6 * 1024 ** 2) }]);

async function upload(zip: Buffer, reply: typeof answer, options = {}) {
  seen = [];
  answer = reply;
  const host = await startBundleHost((_request, response) => response.end(zip));
  try {
    return await handleBundle(host.url, settings, options);
  } finally {
    expect(filesOf(settings)).toEqual([]);
  }
}

describe("BUNDLE_HANDLER=s3 (directory.md section 8)", () => {
  it("puts the bundle into the bucket under a random name, readable by everybody", async () => {
    const handled = await upload(small, accept);
    const [put, ...more] = seen;
    expect(more).toEqual([]);
    expect(put?.method).toBe("PUT");
    expect(put?.url.pathname).toMatch(/^\/bundles\/[0-9a-f]{32}\.zip$/);
    expect(put?.headers).toMatchObject({
      "x-amz-acl": "public-read",
      "content-type": "application/zip",
      "cache-control": "public, max-age=31536000, immutable",
      authorization: expect.stringContaining("/eu-central-1/s3/"),
    });
    expect(handled).toEqual({
      url: `${endpoint}${put?.url.pathname}`,
      sizeCompressedBytes: small.length,
      sizeDecompressedBytes: 1000,
    });
    expect((await upload(small, accept)).url).not.toBe(handled.url);
  });

  it("sends a large one in parts", async () => {
    const handled = await upload(large, accept);
    const parts = seen.filter(({ url }) => url.searchParams.has("partNumber"));
    expect(parts).toHaveLength(2);
    const total = parts.reduce(
      (sum, { headers }) => sum + Number(headers["x-amz-decoded-content-length"] ?? headers["content-length"]),
      0,
    );
    expect(total).toBe(large.length);
    const [begin] = seen;
    expect(begin?.headers["x-amz-acl"]).toBe("public-read");
    expect(handled.url).toBe(`${endpoint}${begin?.url.pathname}`);
  });

  it("tries a part again that the bucket could not take", async () => {
    let failures = 1;
    const flaky: typeof answer = (request) => ((failures -= 1) >= 0 ? { status: 503 } : accept(request));
    expect(await upload(small, flaky)).toMatchObject({ sizeCompressedBytes: small.length });
    expect(seen).toHaveLength(2);
  });

  it.each([
    ["AccessDenied", 403, ""],
    ["NoSuchBucket", 404, ""],
    ["AccessControlListNotSupported", 400, "; its object ownership has to allow access control lists"],
  ])("tells the provider's reason and nothing else: %s", async (code, status, advice) => {
    const body = `<Error><Code>${code}</Code><Message>AKIATEST is not allowed</Message></Error>`;
    const failure = await upload(small, () => ({ status, body })).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "BundleError",
      message: `The bundle cannot be stored in the bucket bundles (${code})${advice}`,
    });
    expect(JSON.stringify(failure) + String((failure as Error).cause)).not.toContain("AKIATEST");
  });

  it("has the bucket forget the parts of an upload that failed", async () => {
    const failing: typeof answer = (request) =>
      request.url.searchParams.get("partNumber") === "2"
        ? { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }
        : accept(request);
    await expect(upload(large, failing)).rejects.toThrow("AccessDenied");
    expect(seen.map(({ method }) => method)).toContain("DELETE");
  });

  it("gives up after the deadline", () =>
    expect(upload(small, () => null, { deadlineMs: 1000 })).rejects.toThrow(
      "The upload to the bucket bundles was given up: there was no time left",
    ));

  it("loads the provider's packages only when they are needed", () => {
    const files = ["s3", "handlers"].map((name) => readFileSync(`lib/apps/bundles/${name}.ts`, "utf8"));
    for (const text of files) expect(text).not.toMatch(/^import (?!type).*@aws-sdk/m);
  });
});
