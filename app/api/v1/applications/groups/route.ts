import { saveGroupGrant } from "@/lib/applications/commands";
import { listApplicationGroups } from "@/lib/applications/group-queries";
import { applicationGroupsQuery, groupGrantBody } from "@/lib/applications/schema";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** The functional groups one version has or could be given, and its grants by hand. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin", input: { query: applicationGroupsQuery } }, async ({ input }) => ({
    groups: await listApplicationGroups(input.query),
  })),
  PUT: route({ auth: "admin", input: { body: groupGrantBody } }, async ({ input, writer }) => {
    await saveGroupGrant(writer, input.body);
  }),
});
