import { releaseParams } from "@/lib/content/releases/schema";
import { exportReport } from "@/lib/gate/publish/release-report";
import { methods, route } from "@/lib/routes/route";

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
