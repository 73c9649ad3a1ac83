import { endSessionOf } from "@/lib/platform/auth/people/sessions";
import { sessionParams } from "@/lib/platform/auth/schema";
import { methods, route } from "@/app/_api/api-route";
import { mayDo } from "@/lib/vocabulary/roles";

/** The cookie stops working on every instance (`people.md` P4a). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    summary: "Ends one of the caller's sessions; administrators may end any session",
    needs: "read",
    moreNeeded: { needs: "administer", what: "Ending somebody else's session" },
    input: { params: sessionParams },
    failures: ["notFound"],
    handle: async ({ input, principal, writer }) => {
      const mayEndAll = mayDo(principal?.role ?? null, "administer");
      await endSessionOf(input.params.id, mayEndAll ? "all" : { person: principal?.id ?? "" }, writer);
    },
  }),
});
