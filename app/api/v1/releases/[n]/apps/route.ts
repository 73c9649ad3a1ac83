import { changedAppsAnswer } from "@/lib/releases/answer-schema";
import { releaseParams } from "@/lib/releases/schema";
import { findReleaseApps } from "@/lib/releases/publish/release-effect";
import { releaseAppsQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

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
