import { requireVisitor } from "@/lib/platform/auth/request-guard";
import { buildEndedFlowCookie } from "@/lib/platform/auth/people/flow-cookie";
import { finishSignIn, SignInFailed } from "@/lib/platform/auth/people/sign-in";
import { AppError } from "@/lib/platform/errors";
import { answerRedirect } from "@/app/_api/answer-request";
import { methods, type RouteHandler } from "@/app/_api/api-route";
import { loadSettings } from "@/lib/platform/settings";

/** The identity provider redirects browsers here (`people.md` P2). */
const finish: RouteHandler = (request) =>
  answerRedirect(request, async ({ responseHeaders }) => {
    requireVisitor(request);
    if (loadSettings().authType !== "oidc") throw new AppError("notFound");
    // One response per sign-in: a repeated callback finds no flow to compare with.
    responseHeaders.append("Set-Cookie", buildEndedFlowCookie(request.headers));
    try {
      const { target, cookie } = await finishSignIn(request.headers, request.url);
      responseHeaders.append("Set-Cookie", cookie);
      return target;
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      return `/login?${new URLSearchParams({ problem: error.problem }).toString()}`;
    }
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: finish });

export const dynamic = "force-dynamic";
