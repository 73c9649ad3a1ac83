/** Input of the routes about what waits for a second person (`people.md` P9). Safe in the browser. */
import { z } from "zod";
import { pathNumber } from "@/lib/platform/zod/query";

export const approvalParams = z.object({
  id: pathNumber("id must be that of a change that waits for approval"),
});
