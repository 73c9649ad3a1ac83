import { namesAnswer } from "@/lib/content/groups/answer-schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";
import { listMessageNames } from "@/lib/content/messages/queries";

/** Categories of consumer messages in use, to prevent doubles. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    { summary: "Lists the categories of consumer messages in use", needs: "read", answer: namesAnswer },
    async () => ({ names: await listMessageNames() }),
  ),
});
