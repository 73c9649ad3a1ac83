import { startSession } from "@/lib/platform/auth/login";
import { loginBody } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";

/** `api.md` 2.1 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Checks the password and starts a session",
    needs: "visitor",
    input: { body: loginBody },
    failures: ["unauthorized", "tooManyRequests"],
    handle: ({ input, request, responseHeaders }) =>
      startSession(input.body.password, request.headers, responseHeaders),
  }),
});
