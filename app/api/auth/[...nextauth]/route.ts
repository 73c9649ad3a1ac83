import { NextRequest } from "next/server";
import NextAuth from "next-auth/next";
import { findSession } from "@/lib/platform/auth/session-cookie";
import { requireLoginAttempt } from "@/lib/platform/auth/login";
import { buildNextAuthOptions } from "@/lib/platform/auth/next-auth-options";
import { findRequestOrigin, requireOwnOrigin, requireVisitor } from "@/lib/platform/auth/request-guard";
import { AppError } from "@/lib/platform/errors";
import { answerRequest } from "@/app/_api/answer-request";
import { readBody } from "@/lib/platform/http/read/read-body";

interface Context {
  readonly params: Promise<{ nextauth: string[] }>;
}

/** Omits next-auth's pages, and the endpoint that lets strangers write to the log. */
const paths: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "session"],
  POST: ["callback/credentials", "signout"],
};

/** Adds this server's limits: size of bodies, throttled logins, errors in the envelope. */
async function handle(request: NextRequest, { params }: Context): Promise<Response> {
  let response: Response | undefined;
  const answer = await answerRequest(request, {}, async () => {
    const { nextauth } = await params;
    const path = nextauth.join("/");
    if (!paths[request.method]?.includes(path)) throw new AppError("notFound");
    requireVisitor(request);
    if (path === "callback/credentials") requireLoginAttempt(request.headers);
    if (path === "signout" && (await findSession(request.headers)) !== null) requireOwnOrigin(request.headers, true);
    const options = buildNextAuthOptions(request.headers);
    const call = request.method === "POST" ? await withTextsOnly(request) : request;
    response = await relocate(await runNextAuth(call, nextauth, options), findRequestOrigin(request.headers));
  });
  return answer.ok && response ? response : answer;
}

async function runNextAuth(
  request: NextRequest,
  nextauth: string[],
  options: ReturnType<typeof buildNextAuthOptions>,
): Promise<Response> {
  const response: unknown = await NextAuth(request, { params: { nextauth } }, options);
  if (response instanceof Response) return response;
  throw new Error("next-auth gave no response");
}

/** next-auth reads bodies of any size, and assumes that every member is a string. */
async function withTextsOnly(request: NextRequest): Promise<NextRequest> {
  const texts = Object.entries(await readBody(request)).filter(([, value]) => typeof value === "string");
  return new NextRequest(request.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(texts)),
  });
}

/**
 * next-auth does not know the address that the client used. Targets are on this server, so a path suffices; only
 * clients
 * of its JSON format need a full address.
 */
async function relocate(response: Response, ownOrigin: string): Promise<Response> {
  const location = response.headers.get("location");
  if (location !== null) response.headers.set("location", pathOf(location));
  if (location !== null || !response.headers.get("content-type")?.startsWith("application/json")) return response;
  const body: unknown = await response.clone().json();
  if (typeof body !== "object" || body === null || !("url" in body) || typeof body.url !== "string") return response;
  const { status, headers } = response;
  return new Response(JSON.stringify({ url: ownOrigin + pathOf(body.url) }), { status, headers });
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, "http://localhost");
  return pathname + search;
}

export { handle as GET, handle as POST };
