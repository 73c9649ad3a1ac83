import { requirePassword } from "@/lib/auth/login";
import { loginBody } from "@/lib/auth/schema";
import { buildSessionCookie } from "@/lib/auth/session-cookie";
import { buildSessionClaims, encodeSession, sessionSeconds } from "@/lib/auth/session-token";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { loadSettings } from "@/lib/settings";

/** Checks the password and starts a session (`api.md` 2.1); where none is asked for there is nothing to start. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    { summary: "Checks the password and starts a session", auth: "public", input: { body: loginBody } },
    async ({ input, request, responseHeaders }) => {
      if (loadSettings().authType !== "basic") return;
      requirePassword(input.body.password, request.headers);
      const token = await encodeSession(buildSessionClaims());
      responseHeaders.append("Set-Cookie", buildSessionCookie(request.headers, token, sessionSeconds));
    },
  ),
});
