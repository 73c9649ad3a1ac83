import { loadAppNames } from "@/lib/apps/applications/queries";
import { appFigures } from "@/lib/fleet/figures/answer-schema";
import { exportTable, appsTable } from "@/lib/fleet/figures/export";
import { loadApps } from "@/lib/fleet/figures/apps";
import { fleetQuery } from "@/lib/fleet/figures/schema";
import { buildScope } from "@/lib/fleet/figures/scope";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Counts requested apps, how head units report them, and unknown app ids, as JSON or CSV",
    needs: "read",
    answer: appFigures,
    form: "envelope",
    fileTypes: ["text/csv"],
    input: { query: fleetQuery },
    handle: async ({ input: { query } }) => {
      const figures = await loadApps(buildScope(query, Date.now()), loadAppNames);
      return query.format === "csv" ? exportTable("apps", figures, appsTable(figures)) : figures;
    },
  }),
});
