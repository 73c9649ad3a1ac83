import { policyStatus } from "@/lib/policy/status";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { readyAnswer } from "@/app/(console)/about/answer-schema";
import { buildReadiness } from "@/lib/policy/health";
import { methods } from "@/app/_api/api-route";
import { withFacts } from "@/app/_api/route-facts";

/** For load balancers: 200 while the server can answer vehicles, otherwise 503. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerReadiness, {
    summary: "Returns whether vehicles get answers, and from which revision",
    needs: "public",
    form: "json",
    answer: readyAnswer,
  }),
});

function answerReadiness() {
  const { status, headers, body } = buildReadiness(policyStatus(), { isStopping: false, now: Date.now() });
  return Promise.resolve(new Response(body, { status, headers: { ...buildSharedHeaders(), ...headers } }));
}

export const dynamic = "force-dynamic";
