import { verdictAnswer, verifyQuery } from "@/lib/platform/audit/schema";
import { verifyAuditEvents } from "@/lib/platform/audit/verify";
import { methods, route } from "@/app/_api/api-route";

/** `people.md` P15 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Checks whether an event of the audit trail was changed or is missing",
    needs: "read",
    answer: verdictAnswer,
    input: { query: verifyQuery },
    handle: ({ input: { query } }) => verifyAuditEvents(query.head),
  }),
});
