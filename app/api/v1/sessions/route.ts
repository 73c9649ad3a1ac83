import { findSessionId } from "@/lib/platform/auth/session-cookie";
import { requireMayDo } from "@/lib/platform/auth/may";
import { endOtherSessions, listSessions } from "@/lib/platform/auth/people/sessions";
import { sessionsAnswer, sessionsEndedAnswer, sessionsQuery } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";

/** People whom the identity provider has named (`people.md` P4a). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the caller's sessions; with all=true everybody's",
    needs: "read",
    moreNeeded: { needs: "administer", what: "Listing everybody's sessions" },
    answer: sessionsAnswer,
    input: { query: sessionsQuery },
    handle: async ({ input, request, principal }) => {
      if (input.query.all) requireMayDo(principal, "administer");
      const whose = input.query.all ? "all" : { person: principal?.id ?? "" };
      return { sessions: await listSessions(whose, await findSessionId(request.headers)) };
    },
  }),
  DELETE: route({
    summary: "Ends all the caller's sessions except the one that asks",
    needs: "read",
    answer: sessionsEndedAnswer,
    handle: async ({ request, principal, writer }) => {
      const ended = await endOtherSessions(principal?.id ?? "", await findSessionId(request.headers), writer);
      return { session_count: ended };
    },
  }),
});
