import { revokeToken } from "@/lib/platform/auth/tokens/commands";
import { tokenParams } from "@/lib/platform/auth/tokens/schema";
import { methods } from "@/lib/routes/methods";
import { route } from "@/lib/routes/route";

/** Revokes a token: it opens nothing any more, on any instance. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(
    { summary: "Revokes a token", needs: "administer", input: { params: tokenParams }, failures: ["notFound"] },
    async ({ input, writer }) => {
      await revokeToken(input.params.id, writer);
    },
  ),
});
