import { applicationsAnswer } from "@/lib/apps/applications/answer-schema";
import { withPrivateMaterial } from "@/lib/certificates/app/stored-bundle";
import { findApplications, loadApplications } from "@/lib/apps/applications/queries";
import { listApplicationsQuery, selectsOne } from "@/lib/apps/applications/schema";
import { streamApplications } from "@/lib/apps/applications/queries";
import { may } from "@/lib/platform/auth/may";
import { methods, route } from "@/app/_api/api-route";
import { StreamedData } from "@/lib/platform/http/streamed-data";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists apps by their newest version, or finds one version",
    needs: "read",
    moreNeeded: { needs: "administer", what: "An answer with the certificate and private_key of one app" },
    answer: applicationsAnswer,
    input: { query: listApplicationsQuery },
    handle: async ({ input: { query }, writer, principal }) => {
      const { ids, nextCursor } = await findApplications(query);
      const isOne = selectsOne(query);
      const mayReadKey = may(principal, "administer");
      if (nextCursor === undefined && !isOne) return StreamedData.start(streamApplications(ids));
      const applications = await loadApplications(ids);
      return {
        applications: isOne && mayReadKey ? await withPrivateMaterial(applications, writer) : applications,
        next_cursor: nextCursor,
      };
    },
  }),
});
