import { effectAnswer } from "@/lib/records/groups/wire";
import { promotionQuery } from "@/lib/records/groups/console-schema";
import { findPromotionEffect } from "@/lib/records/groups/promotion-queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what each app in production would gain or lose if functional groups were published",
    needs: "read",
    answer: effectAnswer,
    input: { query: promotionQuery },
    handle: ({ input }) => findPromotionEffect(input.query.id),
  }),
});
