import { groupFigures } from "@/lib/fleet/figures/answer-schema";
import { exportTable, groupsTable } from "@/lib/fleet/figures/export";
import { loadGroups } from "@/lib/fleet/figures/groups";
import { fleetQuery } from "@/lib/fleet/figures/schema";
import { buildScope } from "@/lib/fleet/figures/scope";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Counts the consents of drivers by functional group, as JSON or CSV",
    needs: "read",
    answer: groupFigures,
    form: "envelope",
    fileTypes: ["text/csv"],
    input: { query: fleetQuery },
    handle: async ({ input: { query } }) => {
      const figures = await loadGroups(buildScope(query, Date.now()));
      return query.format === "csv" ? exportTable("groups", figures, groupsTable(figures)) : figures;
    },
  }),
});
