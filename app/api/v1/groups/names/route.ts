import { namesAnswer } from "@/lib/content/groups/answer-schema";
import { listGroupNames } from "@/lib/content/groups/queries";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Names of functional groups in use, to prevent doubles. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    { summary: "Lists the names of functional groups in use", needs: "read", answer: namesAnswer },
    async () => ({ names: await listGroupNames() }),
  ),
});
