import { requireRole } from "@/lib/platform/auth/callers/require-role";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { answerRequest } from "@/app/_api/answer-request";
import { loadSettings } from "@/lib/platform/settings";
import { buildPlainText } from "@/lib/platform/http/headers/shared-headers";
import { AppError } from "@/lib/platform/errors";
import { findServices } from "@/lib/policy/services";
import { methods } from "@/app/_api/api-route";
import { withFacts } from "@/app/_api/route-facts";

/** Needs METRICS_TOKEN as bearer token, or read permission. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerMetrics, {
    summary: "Returns metrics for Prometheus; also accepts METRICS_TOKEN as a bearer token",
    needs: "read",
    form: "text",
    beforeReady: true,
  }),
});

async function answerMetrics(request: Request) {
  let text = "";
  let contentType = "";
  const answer = await answerRequest(request, {}, async () => {
    if (!hasMetricsToken(request.headers)) await requireRole(request, "read");
    const services = findServices();
    if (!services) throw new AppError("unavailable");
    ({ text, contentType } = await services.metrics.collect());
  });
  return answer.ok ? buildPlainText(text, { "Content-Type": contentType }) : answer;
}

/** The token gives access to this path only. */
function hasMetricsToken(headers: Headers): boolean {
  const { metricsToken } = loadSettings();
  return metricsToken !== null && headerEquals(headers.get("authorization"), `Bearer ${metricsToken}`);
}

export const dynamic = "force-dynamic";
