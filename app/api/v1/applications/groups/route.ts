import { applicationGroupsAnswer } from "@/lib/apps/applications/answer-schema";
import { saveGroupGrant } from "@/lib/apps/applications/commands";
import { listApplicationGroups } from "@/lib/apps/applications/group-queries";
import { applicationGroupsQuery, groupGrantBody } from "@/lib/apps/applications/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the functional groups, and what one version has of them",
    needs: "read",
    answer: applicationGroupsAnswer,
    input: { query: applicationGroupsQuery },
    handle: async ({ input }) => ({
      groups: await listApplicationGroups(input.query),
    }),
  }),
  PUT: route({
    summary: "Adds or removes a grant by hand of one group for one version",
    needs: "publish",
    input: { body: groupGrantBody },
    handle: async ({ input, writer }) => {
      await saveGroupGrant(writer, input.body);
    },
  }),
});
