import { z } from "zod";
import { queryEnvironment } from "@/lib/platform/zod/query";
import { pagingParameters } from "@/lib/content/records/query";

/** Query of `GET permissions/unmapped` (`api.md` 10.2). */
export const unmappedPermissionsQuery = z.object({
  environment: queryEnvironment("production"),
  ...pagingParameters,
});
