import { releasesAnswer } from "@/lib/releases/answer-schema";
import { listReleases } from "@/lib/releases/queries";
import { releasesQuery } from "@/lib/releases/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** The releases: every change of production. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists the releases, newest first",
      auth: "admin",
      answer: releasesAnswer,
      input: { query: releasesQuery },
    },
    ({ input }) => listReleases(input.query),
  ),
});
