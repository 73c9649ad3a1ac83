/** Input of the routes about scheduled releases (`releases.md` section 5). Safe in the browser. */
import { z } from "zod";
import { zonedTime } from "@/lib/releases/schema";
import { taking } from "@/lib/zod/taking";

export const scheduledParams = z.object({
  id: taking(
    z
      .string()
      .regex(/^\d{1,9}$/, { error: "id must be that of a scheduled release" })
      .transform(Number),
    z.int().min(1),
  ),
});
export const moveBody = z.object({ at: zonedTime("at") });
