import { log } from "@/lib/platform/log";
import type { Settings } from "@/lib/platform/settings";
import { asksWho } from "@/lib/platform/settings/access-kinds";

/** Says in the log where the server listens, and in what way it is not as it should be in production. */
export function announce(settings: Settings): void {
  const host = settings.listenAddress ?? "127.0.0.1";
  log.info({ url: `http://${host.includes(":") ? `[${host}]` : host}:${settings.policyServerPort}` }, "listening");
  if (settings.usesEmbeddedDatabase) {
    log.warn(
      { folder: settings.dataDir },
      "embedded database: for trying out, not for production; set MONGODB_URI for real use",
    );
  }
  if (!asksWho(settings.authType))
    log.warn("no password: anybody who reaches the listening address is an administrator");
}
