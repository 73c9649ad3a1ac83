import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { buildPreview } from "@/lib/policy/preview";
import { requirePolicy } from "@/lib/policy/queries";
import { previewQuery } from "@/lib/policy/schema";

/** The table of an environment without app entries. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: "admin", input: { query: previewQuery } }, ({ input }) =>
    buildPreview(requirePolicy(input.query.environment)),
  ),
});
