import { requireAdmin } from "@/lib/auth/admin";
import { answerRequest } from "@/lib/http/answer-request";
import { buildPlainText } from "@/lib/http/plain-text";
import { AppError } from "@/lib/errors";
import { findServices } from "@/lib/server/services";
import { methods } from "@/lib/http/methods";
import { withFacts } from "@/lib/http/route-facts";

/** Figures of this process for Prometheus; for administrators, with the same header or session as the API. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerMetrics, {
    summary: "Gives figures of this process for Prometheus",
    auth: "admin",
    form: "text",
    beforeReady: true,
  }),
});

async function answerMetrics(request: Request) {
  let text = "";
  let contentType = "";
  const answer = await answerRequest(request, {}, async () => {
    await requireAdmin(request);
    const services = findServices();
    if (!services) throw new AppError("unavailable");
    ({ text, contentType } = await services.metrics.collect());
  });
  return answer.ok ? buildPlainText(text, { "Content-Type": contentType }) : answer;
}

export const dynamic = "force-dynamic";
