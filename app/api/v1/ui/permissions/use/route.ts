import { methods, route } from "@/app/_api/api-route";
import { findPermissionUse } from "@/app/(console)/rpcs/queries";
import { permissionUseAnswer, permissionUseQuery } from "@/app/(console)/rpcs/schema";

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
