import { effectAnswer, toGroupContent } from "@/lib/records/groups/wire";
import { findSaveEffect } from "@/lib/records/groups/promotion-queries";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Returns what each app would gain or lose if this functional group were saved to staging; stores nothing",
    needs: "read",
    answer: effectAnswer,
    input: { body: saveGroupBody },
    storesNothing: true,
    handle: ({ input }) => findSaveEffect(toGroupContent(input.body)),
  }),
});
