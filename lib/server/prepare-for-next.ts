import type { IncomingMessage, ServerResponse } from "node:http";
import { browserHeaders, ownSiteOnly, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { createClientHeaders } from "@/lib/server/client-headers";
import { acceptBodyOfGet } from "@/lib/server/get-with-body";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import type { Settings } from "@/lib/platform/settings";

type Needed = Pick<Settings, "trustProxy" | "trustProxyAddresses" | "authUserHeader" | "authRolesHeader" | "tls">;

/**
 * Makes the function that every request passes on its way to Next: it learns where the request comes from, a GET may
 * have a body where the API says so, and pages and static files get the security headers, the one about TLS included,
 * which is not known when Next is built.
 *
 * The name of a user (`AUTH_USER_HEADER`) and their groups (`AUTH_ROLES_HEADER`) are dropped unless a trusted proxy sent them. One that comes twice is joined by a
 * comma, which makes it unusable: a proxy has then added its own to the caller's.
 *
 * @param isBehindLanes as for `createClientHeaders`
 */
export function prepareForNext(
  { authUserHeader, authRolesHeader, tls, ...proxies }: Needed,
  isBehindVehicleWorkers = false,
): (request: IncomingMessage, response: ServerResponse) => void {
  const writeClientHeaders = createClientHeaders(proxies, isBehindVehicleWorkers);
  const [plain, secure] = [securityHeaders(tls !== null), securityHeaders(true)].map((one) => Object.entries(one));
  const proxyHeaders = [authUserHeader, authRolesHeader].filter((header) => header !== null);
  const onPages = Object.entries({ ...browserHeaders, ...ownSiteOnly });
  return (request, response) => {
    const isFromProxy = writeClientHeaders(request);
    for (const header of proxyHeaders) {
      const values = isFromProxy ? request.headersDistinct[header] : undefined;
      if (values === undefined) Reflect.deleteProperty(request.headers, header);
      else request.headers[header] = values.join(", ");
    }
    acceptBodyOfGet(request);
    // A trusted proxy in front may speak TLS where this server does not.
    const isSecure = request.headers["x-forwarded-proto"] === "https";
    for (const [name, value] of (isSecure ? secure : plain) ?? []) response.setHeader(name, value);
    // Routes say it by themselves, or that they are for other sites, too.
    if (!isApiPath(pathOf(request))) for (const [name, value] of onPages) response.setHeader(name, value);
  };
}
