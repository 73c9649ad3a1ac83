import { sessionAnswer } from "@/lib/platform/auth/schema";
import { findSession } from "@/lib/platform/auth/session-cookie";
import { findEndInUse, findSessionEnd } from "@/lib/platform/auth/session-token";
import { methods, route } from "@/app/_api/api-route";

const buildAnswer = (end: number | null) => ({ ends_ts: end === null ? null : new Date(end).toISOString() });
const shared = { needs: "read", answer: sessionAnswer, beforeReady: true } as const;

/** `GET` does not count as activity; `POST` extends the session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns when the session ends if it is not used",
    ...shared,
    handle: async ({ request }) => {
      const session = await findSession(request.headers);
      return buildAnswer(session && findSessionEnd(session));
    },
  }),
  POST: route({
    summary: "Keeps the session from ending because it is idle",
    ...shared,
    handle: async ({ request }) => {
      const session = await findSession(request.headers);
      return buildAnswer(session && findEndInUse(session));
    },
  }),
});
