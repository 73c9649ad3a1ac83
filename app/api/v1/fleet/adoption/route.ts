import { adoptionFigures } from "@/lib/fleet/figures/answer-schema";
import { exportTable, adoptionTable } from "@/lib/fleet/figures/export";
import { loadAdoption } from "@/lib/fleet/figures/requests";
import { fleetQuery } from "@/lib/fleet/figures/schema";
import { buildScope } from "@/lib/fleet/figures/scope";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Counts the requests of vehicles by hour or day and the release that the vehicle had, as JSON or CSV",
    needs: "read",
    answer: adoptionFigures,
    form: "envelope",
    fileTypes: ["text/csv"],
    input: { query: fleetQuery },
    handle: async ({ input: { query } }) => {
      const figures = await loadAdoption(buildScope(query, Date.now()));
      return query.format === "csv" ? exportTable("adoption", figures, adoptionTable(figures)) : figures;
    },
  }),
});
