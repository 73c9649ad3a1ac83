import { releaseAnswer } from "@/lib/releases/answer-schema";
import { requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { releaseParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what a release changed in production, who published it, and why",
    needs: "read",
    answer: releaseAnswer,
    input: { params: releaseParams },
    failures: ["notFound"],
    handle: async ({ input }) => ({ release: toReleaseJson(await requireRelease(input.params.n)) }),
  }),
});
