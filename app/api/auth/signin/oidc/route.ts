import { requireVisitor } from "@/lib/platform/auth/request-guard";
import { beginSignIn, SignInFailed } from "@/lib/platform/auth/people/sign-in";
import { buildSafePath } from "@/lib/platform/auth/safe-path";
import { AppError } from "@/lib/platform/errors";
import { answerRedirect } from "@/app/_api/answer-request";
import { methods, type RouteHandler } from "@/app/_api/api-route";
import { loadSettings } from "@/lib/platform/settings";

/** The identity provider (`people.md` P2) redirects to `callback/oidc`. */
const begin: RouteHandler = (request) =>
  answerRedirect(request, async ({ responseHeaders }) => {
    const target = buildSafePath(new URL(request.url).searchParams.get("redirect"));
    requireVisitor(request);
    if (loadSettings().authType !== "oidc") throw new AppError("notFound");
    try {
      const begun = await beginSignIn(request.headers, target);
      responseHeaders.append("Set-Cookie", begun.cookie);
      return begun.location;
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      return `/login?${new URLSearchParams({ redirect: target, problem: error.problem }).toString()}`;
    }
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: begin });

export const dynamic = "force-dynamic";
