import { requireVisitor } from "@/lib/auth/request-guard";
import { beginSignIn, isSignInFailed } from "@/lib/auth/people/sign-in";
import { buildSafePath } from "@/lib/auth/safe-path";
import { AppError } from "@/lib/errors";
import { answerRequest } from "@/lib/routes/answer-request";
import { methods } from "@/lib/routes/methods";
import type { RouteHandler } from "@/lib/routes/route";
import { loadSettings } from "@/lib/settings";

/** Sends a browser to the identity provider (`people.md` P2); from there it comes back to `callback/oidc`. */
const begin: RouteHandler = async (request) => {
  const target = buildSafePath(new URL(request.url).searchParams.get("redirect"), "/applications");
  let location = "/login";
  const answer = await answerRequest(request, {}, async ({ responseHeaders }) => {
    requireVisitor(request);
    if (loadSettings().authType !== "oidc") throw new AppError("notFound");
    try {
      const begun = await beginSignIn(request.headers, target);
      location = begun.location;
      responseHeaders.append("Set-Cookie", begun.cookie);
    } catch (error) {
      if (!isSignInFailed(error)) throw error;
      location = `/login?${new URLSearchParams({ redirect: target, problem: error.problem }).toString()}`;
    }
  });
  if (!answer.ok) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("Content-Type");
  headers.set("Location", location);
  return new Response(null, { status: 303, headers });
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: begin });

export const dynamic = "force-dynamic";
