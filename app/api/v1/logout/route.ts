import { hasSession, requireSameOrigin } from "@/lib/auth/admin";
import { buildEndedSessionCookie } from "@/lib/auth/session-cookie";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** Ends the session of the browser that asks, if it has one. No other site may end it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ summary: "Ends the session of this browser", auth: "public" }, async ({ request, responseHeaders }) => {
    if (await hasSession(request.headers)) requireSameOrigin(request.headers);
    responseHeaders.append("Set-Cookie", buildEndedSessionCookie(request.headers));
  }),
});
