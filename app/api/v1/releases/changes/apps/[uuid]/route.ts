import { changedAppAnswer } from "@/lib/releases/answer-schema";
import { findChangedApp } from "@/lib/releases/publish/queries";
import { changedAppParams, changesQuery } from "@/lib/releases/publish/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns what publishing staged items would change for one app in production",
    needs: "read",
    answer: changedAppAnswer,
    input: { params: changedAppParams, query: changesQuery },
    failures: ["notFound"],
    handle: ({ input }) => findChangedApp(input.params.uuid, input.query.items),
  }),
  POST: route({
    summary: "The same, for a selection that is too long for an address; stores nothing",
    needs: "read",
    answer: changedAppAnswer,
    input: { params: changedAppParams, body: changesQuery },
    failures: ["notFound"],
    storesNothing: true,
    handle: ({ input }) => findChangedApp(input.params.uuid, input.body.items),
  }),
});
