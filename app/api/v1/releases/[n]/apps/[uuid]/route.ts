import { changedAppAnswer } from "@/lib/content/releases/answer-schema";
import { findReleaseApp } from "@/lib/gate/publish/release-effect";
import { releaseAppParams, releaseAppQuery } from "@/lib/gate/publish/schema";
import { methods, route } from "@/lib/routes/route";

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
