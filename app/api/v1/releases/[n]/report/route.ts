import { releaseParams } from "@/lib/releases/schema";
import { exportReport } from "@/lib/releases/publish/release-report";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Reports a release as a document in Markdown: who, when, why, every change, and what changed for apps",
    needs: "read",
    fileTypes: ["text/markdown"],
    input: { params: releaseParams },
    failures: ["notFound"],
    handle: ({ input }) => exportReport(input.params.n),
  }),
});
