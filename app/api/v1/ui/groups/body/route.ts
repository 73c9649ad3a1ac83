import { groupBodyAnswer } from "@/lib/content/groups/answer-schema";
import { groupBodyQuery } from "@/lib/content/groups/console-schema";
import { findNewestGroup, findRemovedGroup } from "@/lib/content/groups/editor-queries";
import { toSaveBody } from "@/lib/content/groups/wire";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** A group as it is stored, for changes of the console that are not made on its page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    {
      summary: "Gives the newest version of a functional group as a body that a save takes",
      needs: "read",
      answer: groupBodyAnswer,
      input: { query: groupBodyQuery },
    },
    async ({ input: { query } }) => {
      const newest = await findNewestGroup(query.name);
      const group = newest === null && query.gone ? await findRemovedGroup(query.name) : newest;
      return { group: group && { id: group.id, ...toSaveBody(group) } };
    },
  ),
});
