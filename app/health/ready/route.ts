import { policyStatus } from "@/lib/policy/status";
import { servedRevision } from "@/lib/process/served";
import { buildSharedHeaders } from "@/lib/http/shared-headers";
import { readyAnswer } from "@/lib/about/answer-schema";
import { methods } from "@/lib/http/methods";
import { withFacts } from "@/lib/http/route-facts";

/** For load balancers: 200 while vehicles can be answered, else 503; says from which revision and how current it is. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: withFacts(answerReadiness, {
    summary: "Says whether vehicles can be answered, and from which revision",
    auth: "public",
    form: "json",
    answer: readyAnswer,
  }),
});

function answerReadiness() {
  const status = policyStatus();
  const isServing = status !== null && status.state !== "starting";
  const body = {
    state: status?.state ?? "starting",
    revision: status?.revision ?? null,
    served_revision: servedRevision(),
    policy_age_seconds: ageOf(status?.builtAt),
    policy_confirmed_age_seconds: ageOf(status?.confirmedAt),
  };
  const headers = {
    ...buildSharedHeaders(),
    "Cache-Control": "no-store",
    ...(isServing ? {} : { "Retry-After": "5" }),
  };
  return Promise.resolve(Response.json(body, { status: isServing ? 200 : 503, headers }));
}

/** Whole seconds; a clock that was set back makes nothing younger than new. */
function ageOf(at: number | null | undefined): number | null {
  return at ? Math.max(0, Math.round((Date.now() - at) / 1000)) : null;
}

export const dynamic = "force-dynamic";
