/** Input of the routes about scheduled releases (`releases.md` section 5). Safe in the browser. */
import { z } from "zod";
import { zonedTime } from "@/lib/content/releases/schema";
import { pathNumber } from "@/lib/platform/zod/query";

export const scheduledParams = z.object({
  id: pathNumber("id must be that of a scheduled release"),
});
export const moveBody = z.object({ at: zonedTime("at") });
