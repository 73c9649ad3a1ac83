import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { buildBundleHeaders, findKeptBundle } from "@/lib/apps/bundles/local";
import { accessLog, log } from "@/lib/platform/log";

const bundlePath = /^\/bundles\/([^/?#]+)(?:\?|$)/;

/** Sends a bundle kept here (`directory.md` section 8), with the length that Next cannot send. False: Next answers. */
export async function sendBundle(
  request: IncomingMessage,
  response: ServerResponse,
  bundleDir: string,
): Promise<boolean> {
  const { method = "", url = "" } = request;
  const name = bundlePath.exec(url)?.[1];
  if (name === undefined || (method !== "GET" && method !== "HEAD")) return false;
  const start = performance.now();
  const bundle = await findKeptBundle(name, bundleDir).catch(() => null);
  if (bundle === null) return false;
  response.writeHead(200, buildBundleHeaders(bundle));
  const line = { request_id: randomUUID(), method, path: `/bundles/${name}`, status: 200 };
  try {
    if (method === "HEAD") response.end();
    else await pipeline(bundle.read(), response);
    accessLog.info({ ...line, ms: Math.round((performance.now() - start) * 100) / 100 }, "request");
  } catch (error) {
    // The reader went away, or the file cannot be read to its end; the status has been sent in both cases.
    log.warn({ ...line, err: error }, "answer cut off");
  }
  return true;
}
