import { releaseDiffAnswer } from "@/lib/content/releases/answer-schema";
import { diffRelease } from "@/lib/gate/items/diff";
import { releaseDiffQuery, releaseParams } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary:
      "Compares production as of a release with the previous release, another release, or an environment as it is now",
    needs: "read",
    answer: releaseDiffAnswer,
    input: { params: releaseParams, query: releaseDiffQuery },
    failures: ["notFound"],
    handle: async ({ input }) => ({ items: await diffRelease(input.params.n, input.query.to) }),
  }),
});
