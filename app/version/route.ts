import { methods } from "@/app/_api/api-route";
import { buildPlainText } from "@/lib/platform/http/headers/shared-headers";
import { packageVersion } from "@/lib/platform/version";
import { withFacts } from "@/app/_api/route-facts";

/** `api.md` 2.3 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(() => Promise.resolve(buildPlainText(packageVersion)), {
    summary: "Returns the version of this server",
    needs: "public",
    form: "text",
    beforeReady: true,
  }),
});

export const dynamic = "force-dynamic";
