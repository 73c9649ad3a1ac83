import { exportAuditEvents } from "@/lib/platform/audit/queries";
import { auditExportQuery, auditFileAnswer } from "@/lib/platform/audit/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Exports the audit events that the filters let pass, as a table or one JSON object a line",
    needs: "read",
    answer: auditFileAnswer,
    fileTypes: ["text/csv", "application/x-ndjson"],
    input: { query: auditExportQuery },
    handle: ({ input }) => exportAuditEvents(input.query, new Date()),
  }),
});
