"one per process";

import type { Dispatcher } from "undici";
import { findFailureCode } from "@/lib/platform/errors";
import { findProxy, isProxySet, proxyRefusal, readProxyAuthorization } from "@/lib/platform/http/outgoing-proxy";

let dispatcher: Promise<Dispatcher> | null = null;

/** `fetch`, through the configured proxy if one applies, including redirects. */
export async function fetchOutgoing(url: string | URL, init: RequestInit = {}): Promise<Response> {
  if (!isProxySet()) return fetch(url, init);
  dispatcher ??= createDispatcher();
  // An option that Node.js adds to the standard.
  const proxied: RequestInit & { dispatcher: Dispatcher } = { ...init, dispatcher: await dispatcher };
  try {
    return await fetch(url, proxied);
  } catch (error) {
    throw refusals.includes(findFailureCode(error)) ? proxyRefusal("The proxy refused the connection") : error;
  }
}

/** undici's codes for a proxy that refuses a tunnel or the password. */
const refusals = ["UND_ERR_ABORTED", "UND_ERR_INVALID_ARG"];

export async function endOutgoing(): Promise<void> {
  const ended = dispatcher;
  dispatcher = null;
  await (await ended)?.destroy();
}

async function createDispatcher(): Promise<Dispatcher> {
  // Loaded on demand, because few servers need it. Node.js itself supports proxies only from version 24.
  const { Agent, Pool, ProxyAgent } = await import("undici");
  return new Agent({
    factory: (origin, options) => {
      const proxy = findProxy(new URL(origin));
      if (proxy === null) return new Pool(origin, options);
      const token = readProxyAuthorization(proxy);
      // Plain http requests go to the proxy without a tunnel, because many proxies allow tunnels only to port 443.
      return new ProxyAgent({ uri: proxy.origin, proxyTunnel: false, ...(token === null ? {} : { token }) });
    },
  });
}

export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
}

export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  return Buffer.from(await readLimitedBytes(response, maxBytes)).toString("utf8");
}

/** Reads a response body up to `maxBytes` after decompression. Throws `BodyTooLong` beyond. */
export async function readLimitedBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLong(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
