import { changesAnswer } from "@/lib/releases/answer-schema";
import { findChanges } from "@/lib/releases/publish/queries";
import { changesQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Reviews staged items as if they were published: what changes, checks, and the effect on apps",
    needs: "read",
    answer: changesAnswer,
    input: { query: changesQuery },
    handle: ({ input }) => findChanges(input.query.items),
  }),
  POST: route({
    summary: "The same, for a selection that is too long for an address; stores nothing",
    needs: "read",
    answer: changesAnswer,
    input: { body: changesQuery },
    storesNothing: true,
    handle: ({ input }) => findChanges(input.body.items),
  }),
});
