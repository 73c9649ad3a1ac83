import { changedAppAnswer } from "@/lib/releases/answer-schema";
import { findReleaseApp } from "@/lib/releases/publish/release-effect";
import { releaseAppParams, releaseAppQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what a release changed for one app, or what rolling back to it would change",
    needs: "read",
    answer: changedAppAnswer,
    input: { params: releaseAppParams, query: releaseAppQuery },
    failures: ["notFound"],
    handle: ({ input }) => findReleaseApp(input.params.n, input.query.of, input.params.uuid),
  }),
});
