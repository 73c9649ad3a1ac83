import type { IncomingMessage, ServerResponse } from "node:http";
import { isOwnHost } from "@/lib/platform/auth/request-guard";
import { readSessionCookie } from "@/lib/platform/auth/session-cookie";
import { decodeSession } from "@/lib/platform/auth/session-token";
import { AppError } from "@/lib/platform/errors";
import { ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import { isApiPath } from "@/lib/platform/http/api-path";
import type { PathKind } from "@/server/refusals/known-paths";
import { sendRefusal } from "@/server/refusals/send-refusal";
import type { Settings } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";

/** Range and precondition headers, for which Next could respond with an error page. The whole file is always correct. */
const partialHeaders = ["range", "if-range", "if-match", "if-unmodified-since"];

/** Answers unknown paths without rendering, which costs 20 ms (`processes.md` N10), except to signed-in users. */
export async function refuseUnknown(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  kind: PathKind,
  settings: Pick<Settings, "authType">,
): Promise<boolean> {
  if (kind === "file") return refuseMethod(request, response);
  if (kind !== "unknown") return false;
  if (isApiPath(path)) sendRefusal(request, response, new AppError("notFound"), ownSiteOnly);
  else if (isPartOfPage(path) || !(await seesConsole(request, settings))) sendPage(request, response);
  else return false;
  return true;
}

function refuseMethod(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "", headers } = request;
  for (const name of partialHeaders) Reflect.deleteProperty(headers, name);
  if (method === "GET" || method === "HEAD") return false;
  sendRefusal(request, response, new AppError("methodNotAllowed", undefined, { headers: { Allow: "GET, HEAD" } }));
  return true;
}

function isPartOfPage(path: string): boolean {
  return /^\/(?:_next|images)(?:\/|$)|\.(?:ico|js|css|map|php|png|svg|txt|xml)$/.test(path);
}

/** Whether the client may see the console and accepts a page: scripts accept none, strangers have no session. */
async function seesConsole({ method = "", headers }: IncomingMessage, { authType }: Pick<Settings, "authType">) {
  const takesPage = headers.rsc !== undefined || headers.accept?.includes("text/html") === true;
  if (!takesPage || (method !== "GET" && method !== "HEAD")) return false;
  const asked = new Headers();
  for (const name of ["cookie", "host", "x-forwarded-host", "x-forwarded-proto"]) {
    const value = headers[name];
    if (typeof value === "string") asked.set(name, value);
  }
  return requiresSignIn(authType) ? (await decodeSession(readSessionCookie(asked))) !== null : isOwnHost(asked);
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Not found · Policy Server</title>
<h1>Page not found</h1>
<p>There is nothing at this address. <a href="/">To the policy server</a>
`;

function sendPage({ method, headers }: IncomingMessage, response: ServerResponse): void {
  const takesPage = headers.accept?.includes("text/html") === true;
  response.writeHead(404, {
    "Content-Type": `text/${takesPage ? "html" : "plain"}; charset=utf-8`,
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'self'",
  });
  response.end(method === "HEAD" ? undefined : takesPage ? page : "Not found\n");
}
