import { effectAnswer } from "@/lib/content/groups/wire";
import { promotionQuery } from "@/lib/content/groups/console-schema";
import { findPromotionEffect } from "@/lib/content/groups/promotion-queries";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what each app in production would gain or lose if functional groups were published",
    needs: "read",
    answer: effectAnswer,
    input: { query: promotionQuery },
    handle: ({ input }) => findPromotionEffect(input.query.id),
  }),
});
