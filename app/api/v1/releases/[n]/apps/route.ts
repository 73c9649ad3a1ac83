import { changedAppsAnswer } from "@/lib/content/releases/answer-schema";
import { releaseParams } from "@/lib/content/releases/schema";
import { findReleaseApps } from "@/lib/gate/publish/release-effect";
import { releaseAppsQuery } from "@/lib/gate/publish/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary:
      "Lists the apps that a release changed, or that rolling back to it would change, worst first, 100 at a time",
    needs: "read",
    answer: changedAppsAnswer,
    input: { params: releaseParams, query: releaseAppsQuery },
    failures: ["notFound"],
    handle: ({ input }) => findReleaseApps(input.params.n, input.query.of, input.query.from),
  }),
});
