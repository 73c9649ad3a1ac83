import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { unmappedPermissionsAnswer } from "@/lib/content/permissions/answer-schema";
import { listUnmappedPermissions } from "@/lib/content/permissions/queries";
import { unmappedPermissionsQuery } from "@/lib/content/permissions/schema";
import { toUnmappedJson } from "@/lib/content/permissions/wire";

/** Permissions that no functional group of a view contains. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Lists permissions that no functional group of a view contains",
      needs: "read",
      answer: unmappedPermissionsAnswer,
      input: { query: unmappedPermissionsQuery },
    },
    async ({ input }) => toUnmappedJson(await listUnmappedPermissions(input.query)),
  ),
});
