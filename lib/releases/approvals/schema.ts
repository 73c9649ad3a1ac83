/** Input of the routes about what waits for a second person (`people.md` P9). Safe in the browser. */
import { z } from "zod";
import { taking } from "@/lib/zod/taking";

export const approvalParams = z.object({
  id: taking(
    z
      .string()
      .regex(/^\d{1,9}$/, { error: "id must be that of a change that waits for approval" })
      .transform(Number),
    z.int().min(1),
  ),
});
