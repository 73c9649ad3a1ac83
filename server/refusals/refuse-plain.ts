import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/platform/errors";
import { pathOf } from "@/lib/platform/http/api-path";
import { sendRefusal } from "@/server/refusals/send-refusal";
import type { Settings } from "@/lib/platform/settings";

/** Paths for vehicles, apps, the app directory and probes, which keep the plain port (`settings.md` section 2). */
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
 * Keeps passwords and sessions off plain HTTP while TLS is on: redirects pages, refuses administration with 403. What a
 * trusted proxy received over TLS is not plain. Call after `createClientHeaders`. Returns whether it has responded.
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
      // The rest of the body is not read.
      sendRefusal(request, response, failure, { Connection: "close" });
    }
    return true;
  };
}

/** The configured public address, if it uses TLS. Never the host of the request. */
function secureOrigin(publicBaseUrl: string, host: string, port: number): string {
  if (publicBaseUrl.startsWith("https://")) return new URL(publicBaseUrl).origin;
  return new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
}

const oneSlash = (url: string) => url.replace(/^\/+/, "/");

function redirect(response: ServerResponse, location: string): void {
  // Ports change: browsers would cache a 308 forever.
  response.writeHead(308, { Location: location, "Cache-Control": "no-store", "Content-Length": "0" });
  response.end();
}
