import { promotionAnswer } from "@/lib/groups/answer-schema";
import { promotionQuery } from "@/lib/groups/console-schema";
import { listPromotion } from "@/lib/groups/promotion-queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** What the console asks before it promotes groups. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Tells what a promotion of functional groups would do and what it needs first",
      auth: "admin",
      answer: promotionAnswer,
      input: { query: promotionQuery },
    },
    async ({ input }) => {
      const { items, vehicleData } = await listPromotion(input.query.id);
      return {
        items: items.map(({ olderWording, isDefault, isEmpty, productionId, missing, ...item }) => ({
          ...item,
          missing: [...missing],
          older_wording: olderWording,
          is_default: isDefault,
          is_empty: isEmpty,
          production_id: productionId,
        })),
        vehicle_data: vehicleData.map(({ key, isDeleted }) => ({ name: key, is_deleted: isDeleted })),
      };
    },
  ),
});
