import type { Server } from "node:http";
import { log } from "@/lib/log";
import type { Settings } from "@/lib/settings";

/** Says in the log where the server listens, and in what way it is not as it should be in production. */
export function announce(settings: Settings, servers: readonly Server[]): void {
  const address = servers[0]?.address();
  const host = settings.listenAddress ?? "127.0.0.1";
  const port = typeof address === "object" && address !== null ? address.port : settings.policyServerPort;
  log.info({ url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` }, "listening");
  if (settings.usesEmbeddedDatabase) {
    log.warn(
      { folder: settings.dataDir },
      "embedded database: for trying out, not for production; set MONGODB_URI for real use",
    );
  }
  if (settings.authType !== "basic")
    log.warn("no password: everybody who reaches the listening address is an administrator");
}
