import { methods, route } from "@/lib/routes/route";
import { findPermissionUse } from "@/lib/console/permissions/queries";
import { permissionUseAnswer, permissionUseQuery } from "@/lib/console/permissions/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns which functional groups give an RPC or parameter, and which apps request it, have it and lost it",
    needs: "read",
    answer: permissionUseAnswer,
    input: { query: permissionUseQuery },
    failures: ["notFound"],
    handle: ({ input }) => findPermissionUse(input.query),
  }),
});
