import { revokeToken } from "@/lib/platform/auth/tokens/commands";
import { tokenParams } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    summary: "Revokes a token",
    needs: "administer",
    input: { params: tokenParams },
    failures: ["notFound"],
    handle: async ({ input, writer }) => {
      await revokeToken(input.params.id, writer);
    },
  }),
});
