import { releaseDiffAnswer } from "@/lib/releases/answer-schema";
import { diffRelease } from "@/lib/releases/items/diff";
import { releaseDiffQuery, releaseParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

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
