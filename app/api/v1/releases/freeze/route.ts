import { freezeAnswer } from "@/lib/releases/answer-schema";
import { loadFreeze, saveFreeze } from "@/lib/records/publishing/freeze";
import { freezeBody } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Returns the publishing freeze: its times and reason",
    needs: "read",
    answer: freezeAnswer,
    handle: async () => ({ freeze: await loadFreeze() }),
  }),
  PUT: route({
    summary: "Sets a publishing freeze with a reason; reason null lifts it",
    needs: "administer",
    answer: freezeAnswer,
    input: { body: freezeBody },
    handle: async ({ input, writer }) => ({ freeze: await saveFreeze(input.body, writer) }),
  }),
});
