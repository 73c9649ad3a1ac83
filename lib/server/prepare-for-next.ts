import type { IncomingMessage, ServerResponse } from "node:http";
import { securityHeaders } from "@/lib/http/security-headers";
import { createClientHeaders } from "@/lib/server/client-headers";
import { acceptBodyOfGet } from "@/lib/server/get-with-body";
import type { Settings } from "@/lib/settings";

/**
 * Makes the function that every request passes on its way to Next: it learns where the request comes from, a GET may
 * have a body where the API says so, and pages and static files get the security headers, the one about TLS included,
 * which is not known when Next is built.
 *
 * A name of a user that comes twice (`AUTH_USER_HEADER`) is dropped: a proxy has then added its own to the caller's.
 */
export function prepareForNext({
  trustProxy,
  authUserHeader,
  tls,
}: Pick<Settings, "trustProxy" | "authUserHeader" | "tls">): (
  request: IncomingMessage,
  response: ServerResponse,
) => void {
  const writeClientHeaders = createClientHeaders(trustProxy);
  const [plain, secure] = [securityHeaders(tls !== null), securityHeaders(true)].map((one) => Object.entries(one));
  return (request, response) => {
    writeClientHeaders(request);
    if (authUserHeader !== null && (request.headersDistinct[authUserHeader]?.length ?? 0) > 1) {
      Reflect.deleteProperty(request.headers, authUserHeader);
    }
    acceptBodyOfGet(request);
    // A trusted proxy in front may speak TLS where this server does not.
    const isSecure = request.headers["x-forwarded-proto"] === "https";
    for (const [name, value] of (isSecure ? secure : plain) ?? []) response.setHeader(name, value);
  };
}
