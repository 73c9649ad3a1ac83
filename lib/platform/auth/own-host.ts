import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { loadSettings } from "@/lib/platform/settings";
import { isOwnMachine } from "@/lib/platform/settings/checks";

/**
 * Whether a request names this server by a name that nobody else can own (`api.md` 0.6): a foreign name may resolve to
 * 127.0.0.1, and its page would have our origin. Matters only while `AUTH_TYPE` is not set. Requests without a name
 * pass.
 */
export function isOwnHost(headers: Headers): boolean {
  const { authType, policyServerHost, publicBaseUrl } = loadSettings();
  if (authType !== null) return true;
  const host = findHost(headers);
  if (host === null) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isOwnMachine(hostname)) return true;
  return [policyServerHost.toLowerCase(), bare(new URL(publicBaseUrl).hostname)].includes(bare(hostname));
}

/** Host and port by which the client addressed this server. A proxy's word counts only behind the server entry. */
export function findHost(headers: Headers): string | null {
  const forwarded = areClientHeadersBelieved() ? headers.get("x-forwarded-host") : null;
  return forwarded ?? headers.get("host");
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}
