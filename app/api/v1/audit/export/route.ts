import { exportAuditEvents } from "@/lib/platform/audit/queries";
import { auditExportQuery, auditFileAnswer } from "@/lib/platform/audit/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Exports the audit events that match the filters, as CSV or as one JSON object per line",
    needs: "read",
    answer: auditFileAnswer,
    fileTypes: ["text/csv", "application/x-ndjson"],
    input: { query: auditExportQuery },
    handle: ({ input }) => exportAuditEvents(input.query, new Date()),
  }),
});
