import { listAuditEvents } from "@/lib/audit/queries";
import { auditQuery } from "@/lib/audit/schema";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** Who changed what, newest first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin", input: { query: auditQuery } }, ({ input }) => listAuditEvents(input.query)),
});
