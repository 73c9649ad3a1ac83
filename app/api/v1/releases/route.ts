import { findPlanned } from "@/lib/exchange/plan";
import { publicationAnswer, releasesAnswer } from "@/lib/releases/answer-schema";
import { orRequestApproval } from "@/lib/releases/approvals/request-approval";
import { savePublication } from "@/lib/releases/publish/publish-release";
import { publishBody } from "@/lib/releases/publish/schema";
import { listReleases } from "@/lib/releases/queries";
import { scheduleRelease } from "@/lib/releases/schedule/commands";
import { releasesQuery } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the releases, newest first",
    needs: "read",
    answer: releasesAnswer,
    input: { query: releasesQuery },
    handle: ({ input }) => listReleases(input.query),
  }),
  POST: route({
    summary:
      "Publishes reviewed items and apps as one release, now or at a set time, or with dry_run returns what that would change",
    needs: "publish",
    answer: publicationAnswer,
    input: { body: publishBody },
    failures: ["conflict"],
    handle: async ({ input: { body }, writer }) => {
      const { at, plan, items: chosen = "all", ...stated } = body;
      const { dry_run: isDryRun, ...requested } = stated;
      const publication = { ...stated, items: plan === undefined ? chosen : await findPlanned(plan) };
      if (isDryRun) return savePublication(publication, writer);
      return orRequestApproval(writer, { kind: "publish", ...requested, at: at ?? null }, async (asker) =>
        at ? { scheduled: [await scheduleRelease(publication, at, asker)] } : savePublication(publication, asker),
      );
    },
  }),
});
