import { changesAnswer } from "@/lib/content/releases/answer-schema";
import { findChanges } from "@/lib/gate/publish/queries";
import { changesQuery } from "@/lib/gate/publish/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** The review of what is not in production. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Reviews staged items as if they were published: what changes, checks, and the effect on apps",
      needs: "read",
      answer: changesAnswer,
      input: { query: changesQuery },
    },
    ({ input }) => findChanges(input.query.items),
  ),
  POST: route(
    {
      summary: "The same for a choice that is too long for an address; stores nothing",
      needs: "read",
      answer: changesAnswer,
      input: { body: changesQuery },
      storesNothing: true,
    },
    ({ input }) => findChanges(input.body.items),
  ),
});
