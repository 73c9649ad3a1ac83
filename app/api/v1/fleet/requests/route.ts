import { answeredFigures } from "@/lib/fleet/figures/answer-schema";
import { exportTable, requestsTable } from "@/lib/fleet/figures/export";
import { loadRequests } from "@/lib/fleet/figures/requests";
import { fleetQuery } from "@/lib/fleet/figures/schema";
import { buildScope } from "@/lib/fleet/figures/scope";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Counts the answers to vehicles by hour or day and kind, as JSON or CSV",
    needs: "read",
    answer: answeredFigures,
    form: "envelope",
    fileTypes: ["text/csv"],
    input: { query: fleetQuery },
    handle: async ({ input: { query } }) => {
      const figures = await loadRequests(buildScope(query, Date.now()));
      return query.format === "csv" ? exportTable("requests", figures, requestsTable(figures)) : figures;
    },
  }),
});
