import { methods } from "@/app/_api/api-route";
import { healthAnswer } from "@/lib/policy/health";
import { buildPlainText } from "@/lib/platform/http/headers/shared-headers";
import { withFacts } from "@/app/_api/route-facts";

/** Uses neither the database nor the policy (`api.md` 2.2). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(() => Promise.resolve(buildPlainText(healthAnswer.body)), {
    summary: "Answers OK while the process is running",
    needs: "public",
    form: "text",
    beforeReady: true,
  }),
});

export const dynamic = "force-dynamic";
