import { itemContentsAnswer } from "@/lib/releases/answer-schema";
import { findItemContents } from "@/lib/releases/publish/queries";
import { changesQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists what differs in staged items, in full, as if all were published",
    needs: "read",
    answer: itemContentsAnswer,
    input: { query: changesQuery },
    handle: ({ input }) => findItemContents(input.query.items),
  }),
  POST: route({
    summary: "The same, for a selection that is too long for an address; stores nothing",
    needs: "read",
    answer: itemContentsAnswer,
    input: { body: changesQuery },
    storesNothing: true,
    handle: ({ input }) => findItemContents(input.body.items),
  }),
});
