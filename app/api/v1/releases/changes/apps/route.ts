import { changedAppsAnswer } from "@/lib/content/releases/answer-schema";
import { findChangedApps } from "@/lib/gate/publish/queries";
import { changedAppsBody, changedAppsQuery } from "@/lib/gate/publish/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the apps that publishing staged items would change, worst first, 100 at a time",
    needs: "read",
    answer: changedAppsAnswer,
    input: { query: changedAppsQuery },
    handle: ({ input }) => findChangedApps(input.query.items, input.query.from),
  }),
  POST: route({
    summary: "The same, for a selection that is too long for an address; stores nothing",
    needs: "read",
    answer: changedAppsAnswer,
    input: { body: changedAppsBody },
    storesNothing: true,
    handle: ({ input }) => findChangedApps(input.body.items, input.body.from),
  }),
});
