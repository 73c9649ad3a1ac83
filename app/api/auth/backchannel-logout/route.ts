import { logOutByProvider } from "@/lib/platform/auth/people/back-channel";
import { logoutTokenBody } from "@/lib/platform/auth/schema";
import { AppError } from "@/lib/platform/errors";
import { methods, route } from "@/app/_api/api-route";
import { loadSettings } from "@/lib/platform/settings";

/** The identity provider reports a sign-out here (`people.md` P4b); the token authenticates the provider. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    needs: "public",
    input: { body: logoutTokenBody },
    handle: async ({ input }) => {
      if (loadSettings().authType !== "oidc") throw new AppError("notFound");
      await logOutByProvider(input.body.logout_token);
    },
  }),
});

export const dynamic = "force-dynamic";
