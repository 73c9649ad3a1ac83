import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/platform/errors";
import { pathOf } from "@/lib/platform/http/api-path";
import { sendRefusal } from "@/lib/server/refusals/send-refusal";
import type { Settings } from "@/lib/platform/settings";

/** Vehicles, apps, the directory and probes: they keep using the plain port (`settings.md` section 2). */
const publicPaths = [
  /^\/api\/v?1\/(?:staging|production)\/policy\/?$/,
  /^\/api\/v?1\/webhook\/?$/,
  /^\/api\/v?1\/applications\/store(?:\/staging)?\/?$/,
  /^\/(?:health|health\/ready|version|metrics|webhooks)\/?$/,
  /^\/bundles\//,
];
const containerPath = /^\/api\/v?1\/applications\/certificate\/get\/?$/;
const isApi = (path: string) => /^\/api(?:\/|$)/.test(path);

type Needed = Pick<Settings, "tls" | "publicBaseUrl" | "policyServerHost" | "appCertificateGet">;

/**
 * Keeps passwords and sessions off plain HTTP while TLS is on: pages redirect, administration gets 403, what machines
 * use stays. Requests that a trusted proxy took over TLS are not plain. Call after `createClientHeaders`.
 * @returns whether the request has been answered
 */
export function refusePlain(settings: Needed): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (settings.tls === null) return () => false;
  const origin = secureOrigin(settings.publicBaseUrl, settings.policyServerHost, settings.tls.port);
  const open = [...publicPaths, ...(settings.appCertificateGet === "admin" ? [] : [containerPath])];
  return (request, response) => {
    if (request.headers["x-forwarded-proto"] === "https") return false;
    const { method = "", url = "" } = request;
    const path = pathOf(request);
    if (open.some((pattern) => pattern.test(path))) return false;
    if (!isApi(path) && (method === "GET" || method === "HEAD")) redirect(response, origin + oneSlash(url));
    else {
      const failure = new AppError("forbidden", `Administration needs TLS on this server: use ${origin}`);
      // What is left of the body is not read.
      sendRefusal(request, response, failure, { Connection: "close" });
    }
    return true;
  };
}

/** The address that the settings announce, unless that is none over TLS. Never what the request says of its host. */
function secureOrigin(publicBaseUrl: string, host: string, port: number): string {
  if (publicBaseUrl.startsWith("https://")) return new URL(publicBaseUrl).origin;
  return new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
}

const oneSlash = (url: string) => url.replace(/^\/+/, "/");

function redirect(response: ServerResponse, location: string): void {
  // Ports change: a browser is not to remember this for ever, as it may with a 308.
  response.writeHead(308, { Location: location, "Cache-Control": "no-store", "Content-Length": "0" });
  response.end();
}
