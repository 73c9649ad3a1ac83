import { releaseDiffAnswer } from "@/lib/releases/answer-schema";
import { releaseDiffExportQuery, releaseParams } from "@/lib/releases/schema";
import { exportDiff } from "@/lib/releases/publish/release-report";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Exports how production as of a release differs from another state, a line for each field, as CSV or JSON",
    needs: "read",
    answer: releaseDiffAnswer,
    fileTypes: ["text/csv", "application/json"],
    input: { params: releaseParams, query: releaseDiffExportQuery },
    failures: ["notFound"],
    handle: ({ input: { params, query } }) => exportDiff(params.n, query),
  }),
});
