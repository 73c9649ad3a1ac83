import { makeTokenBody, tokenMadeAnswer, tokensAnswer } from "@/lib/platform/auth/schema";
import { makeToken } from "@/lib/platform/auth/tokens/commands";
import { listTokens } from "@/lib/platform/auth/tokens/queries";
import { methods, route } from "@/app/_api/api-route";

/** `people.md` P12a */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Lists the API tokens, without their secrets",
    needs: "administer",
    answer: tokensAnswer,
    handle: async () => ({ tokens: await listTokens() }),
  }),
  POST: route({
    summary: "Creates an API token; only this answer contains it",
    needs: "administer",
    answer: tokenMadeAnswer,
    input: { body: makeTokenBody },
    handle: async ({ input, writer, principal }) => {
      const { id, token, expiresAt } = await makeToken(input.body, principal, writer);
      return { token, id, expires_at: expiresAt?.toISOString() ?? null };
    },
  }),
});
