/** Answers of the permission routes (`api.md` section 10). */
import { z } from "zod";
import { nextCursor } from "@/lib/platform/http/answer-schema";

export const unmappedPermissionsAnswer = z.object({
  permissions: z.array(z.object({ name: z.string(), type: z.enum(["RPC", "PARAMETER"]) })),
  unmapped_rpc_count: z.int(),
  unmapped_parameter_count: z.int(),
  next_cursor: nextCursor,
});
