import { changedAppsAnswer } from "@/lib/releases/answer-schema";
import { findChangedApps } from "@/lib/releases/publish/queries";
import { changedAppsBody, changedAppsQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

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
