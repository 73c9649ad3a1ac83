import { z } from "zod";
import { applicationAnswer } from "@/lib/apps/applications/answer-schema";
import { exportListQuery } from "@/lib/apps/applications/console/console-schema";
import { exportApplications } from "@/lib/apps/applications/console/export";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Exports the apps that match the filters of the console, as CSV or JSON",
    needs: "read",
    answer: z.object({ applications: z.array(applicationAnswer) }),
    fileTypes: ["text/csv", "application/json"],
    input: { query: exportListQuery },
    handle: ({ input: { query } }) => exportApplications(query, new Date()),
  }),
});
