import { createServer } from "node:http";
import createNext from "next";
import type { Settings } from "@/lib/platform/settings";
import { realpathSync } from "node:fs";
import Module from "node:module";
import path from "node:path";

export function startFramework({ nodeEnv, policyServerPort }: Pick<Settings, "nodeEnv" | "policyServerPort">) {
  resolveLinksOfNext();
  const isDevelopment = nodeEnv === "development";
  const next = createNext({
    dev: isDevelopment,
    hostname: "127.0.0.1",
    port: policyServerPort,
    // Next listens for upgrades on the server of its first request, unless it has one: with such a listener Node hands it
    // every request that offers one (HTTP/2, WebSocket), and nobody answers. This one never listens. The development
    // tools use a WebSocket.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
  });
  return { handler: next.getRequestHandler(), prepared: next.prepare() };
}

type Resolve = (request: string, ...others: unknown[]) => string;

/** Where Next's build puts links to the packages that stay outside of its bundles. */
const links = path.join(".next", "node_modules") + path.sep;

/**
 * Resolves links that Next's bundles require packages through, as Node usually does: after a look at a pipe or socket,
 * Node 20 leaves links as they are, and a second, unconnected database driver would answer 503 for ever. Call before
 * Next loads.
 */
export function resolveLinksOfNext(): void {
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, ...call: Parameters<Resolve>) {
    const found = resolve.apply(this, call);
    return found.includes(links) ? realpathSync.native(found) : found;
  };
}
