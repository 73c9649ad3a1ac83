import { headUnitFigures } from "@/lib/fleet/figures/answer-schema";
import { exportTable, headUnitsTable } from "@/lib/fleet/figures/export";
import { loadHeadUnits } from "@/lib/fleet/figures/head-units";
import { fleetQuery } from "@/lib/fleet/figures/schema";
import { buildScope } from "@/lib/fleet/figures/scope";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary:
      "Counts head units by software, hardware, language and country, and phones by operating system, as JSON or CSV",
    needs: "read",
    answer: headUnitFigures,
    form: "envelope",
    fileTypes: ["text/csv"],
    input: { query: fleetQuery },
    handle: async ({ input: { query } }) => {
      const figures = await loadHeadUnits(buildScope(query, Date.now()));
      return query.format === "csv" ? exportTable("head-units", figures, headUnitsTable(figures)) : figures;
    },
  }),
});
