import { findSessionId } from "@/lib/platform/auth/session-cookie";
import { requireMayDo } from "@/lib/platform/auth/may";
import { listSessions } from "@/lib/platform/auth/people/sessions";
import { sessionsAnswer, sessionsQuery } from "@/lib/platform/auth/schema";
import { methods, route } from "@/lib/routes/route";

/** Sessions of people whom the identity provider has named (`people.md` P4a). */
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
});
