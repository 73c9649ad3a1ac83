import { findSession } from "@/lib/auth/find-session";
import { requireOwnOrigin } from "@/lib/auth/request-guard";
import { buildEndedSessionCookie } from "@/lib/auth/session-cookie";
import { endSession } from "@/lib/auth/session-token";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Ends the session of the browser that asks, if it has one, for all copies of its cookie. No other site may end it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    { summary: "Ends the session of this browser", needs: "visitor" },
    async ({ request, responseHeaders }) => {
      const session = await findSession(request.headers);
      if (session !== null) {
        requireOwnOrigin(request.headers, true);
        await endSession(session);
      }
      responseHeaders.append("Set-Cookie", buildEndedSessionCookie(request.headers));
    },
  ),
});
