import { listAuditEvents } from "@/lib/platform/audit/queries";
import { auditAnswer, auditQuery } from "@/lib/platform/audit/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists who changed what, newest first",
    needs: "read",
    answer: auditAnswer,
    input: { query: auditQuery },
    handle: ({ input }) => listAuditEvents(input.query),
  }),
});
