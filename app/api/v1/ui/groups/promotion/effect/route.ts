import { effectAnswer } from "@/lib/content/groups/answer-schema";
import { promotionQuery } from "@/lib/content/groups/console-schema";
import { findPromotionEffect } from "@/lib/content/groups/promotion-queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What the console shows before it promotes groups. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Tells which apps in production would gain or lose what by a promotion of functional groups",
      needs: "read",
      answer: effectAnswer,
      input: { query: promotionQuery },
    },
    ({ input }) => findPromotionEffect(input.query.id),
  ),
});
