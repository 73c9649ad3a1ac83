import { applicationGroupsAnswer } from "@/lib/apps/applications/answer-schema";
import { saveGroupGrant } from "@/lib/apps/applications/commands";
import { listApplicationGroups } from "@/lib/apps/applications/group-queries";
import { applicationGroupsQuery, groupGrantBody } from "@/lib/apps/applications/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the functional groups, and which of them one version has",
    needs: "read",
    answer: applicationGroupsAnswer,
    input: { query: applicationGroupsQuery },
    handle: async ({ input }) => ({
      groups: await listApplicationGroups(input.query),
    }),
  }),
  PUT: route({
    summary: "Adds or removes a manual grant of one group for one version",
    needs: "publish",
    input: { body: groupGrantBody },
    handle: async ({ input, writer }) => {
      await saveGroupGrant(writer, input.body);
    },
  }),
});
