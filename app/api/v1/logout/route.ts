import { requireOwnOrigin } from "@/lib/platform/auth/request-guard";
import { buildEndedSessionCookie, findSession } from "@/lib/platform/auth/session-cookie";
import { signOut } from "@/lib/platform/auth/people/sign-out";
import { logoutAnswer } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";

/** Ends the session for all copies of its cookie. Cross-site requests are refused. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Ends the session of this browser; returns the address where the identity provider ends its own session",
    needs: "visitor",
    answer: logoutAnswer,
    handle: async ({ request, responseHeaders }) => {
      const session = await findSession(request.headers);
      if (session !== null) {
        requireOwnOrigin(request.headers, true);
      }
      const continue_at = session === null ? null : await signOut(request.headers, session);
      responseHeaders.append("Set-Cookie", buildEndedSessionCookie(request.headers));
      return { continue_at };
    },
  }),
});
