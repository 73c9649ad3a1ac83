import { groupBodyAnswer, toSaveBody } from "@/lib/records/groups/wire";
import { groupBodyQuery } from "@/lib/records/groups/console-schema";
import { findNewestGroup, findRemovedGroup } from "@/lib/records/groups/editor-queries";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the latest version of a functional group as a body for saving it",
    needs: "read",
    answer: groupBodyAnswer,
    input: { query: groupBodyQuery },
    handle: async ({ input: { query } }) => {
      const newest = await findNewestGroup(query.name);
      const group = newest === null && query.gone ? await findRemovedGroup(query.name) : newest;
      return { group: group && { id: group.id, ...toSaveBody(group) } };
    },
  }),
});
