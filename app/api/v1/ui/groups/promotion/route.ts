import { promotionAnswer } from "@/lib/groups/answer-schema";
import { promotionQuery } from "@/lib/groups/console-schema";
import { listPromotion } from "@/lib/groups/promotion-queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { toSnakeMembers } from "@/lib/words/members";

/** What the console asks before it promotes groups. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Tells what a promotion of functional groups would do and what it needs first",
      needs: "read",
      answer: promotionAnswer,
      input: { query: promotionQuery },
    },
    async ({ input }) => {
      const { items, vehicleData } = await listPromotion(input.query.id);
      return {
        items: items.map((item) => toSnakeMembers({ ...item, missing: [...item.missing] })),
        vehicle_data: vehicleData.map(({ key, isDeleted }) => ({ name: key, is_deleted: isDeleted })),
      };
    },
  ),
});
