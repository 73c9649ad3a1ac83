import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import createNext from "next";
import { resolveLinksOfNext } from "@/lib/server/resolve-links";
import type { Settings } from "@/lib/platform/settings";

/** Next as the console uses it. */
export interface Framework {
  /** When it can be asked. */
  readonly prepared: Promise<void>;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Starts Next in this process, without a server of its own. */
export function startFramework({
  nodeEnv,
  policyServerPort,
}: Pick<Settings, "nodeEnv" | "policyServerPort">): Framework {
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
