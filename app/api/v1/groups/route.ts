import { groupsAnswer } from "@/lib/records/groups/wire";
import { saveGroup } from "@/lib/records/groups/commands";
import { findGroup, listGroups, loadGroupTemplate } from "@/lib/records/groups/queries";
import { listGroupsQuery, saveGroupBody } from "@/lib/records/groups/schema";
import { methods, route } from "@/app/_api/api-route";
import { saveAnswer } from "@/lib/policy/answer/answer-schema";
import { toFindingsMember } from "@/lib/policy/checks/table-faults";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists functional groups, or returns one record or an empty group",
    needs: "read",
    answer: groupsAnswer,
    input: { query: listGroupsQuery },
    handle: async ({ input: { query } }) => {
      if (query.template) return { groups: [await loadGroupTemplate(query.environment)] };
      if (query.id !== undefined) {
        const group = await findGroup(query.id, query.environment);
        return { groups: group === null ? [] : [group] };
      }
      const { items, nextCursor } = await listGroups(query);
      return { groups: items, next_cursor: nextCursor };
    },
  }),
  POST: route({
    summary: "Saves a functional group as a new staging record; also deletes and restores",
    needs: "edit",
    answer: saveAnswer,
    input: { body: saveGroupBody },
    handle: async ({ input, writer }) => toFindingsMember(await saveGroup(input.body, writer)),
  }),
});
