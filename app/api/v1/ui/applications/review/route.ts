import { reviewAnswer, reviewQuery } from "@/lib/apps/applications/console/effect-schema";
import { loadReview } from "@/lib/apps/applications/console/detail-queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary:
      "Returns what approving one version of an app changes: what it asks for, its permissions, what drivers are asked",
    needs: "read",
    answer: reviewAnswer,
    input: { query: reviewQuery },
    failures: ["notFound"],
    handle: ({ input: { query } }) => loadReview(query.id),
  }),
});
