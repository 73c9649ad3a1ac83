import type { RuntimeStatus } from "@/lib/policy/runtime-status";

export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const healthAnswer: ProbeAnswer = {
  status: 200,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: "OK",
};

/** 200 while vehicles can be answered, else 503, also while stopping (`processes.md` N12). Null: without a runtime. */
export function buildReadiness(
  status: RuntimeStatus | null,
  { isStopping, now }: { readonly isStopping: boolean; readonly now: number },
): ProbeAnswer {
  const state = isStopping ? "stopping" : (status?.state ?? "starting");
  const isServing = state === "ready" || state === "degraded";
  const body = {
    state,
    revision: status?.revision ?? null,
    policy_age_seconds: ageOf(status?.builtAt, now),
    policy_confirmed_age_seconds: ageOf(status?.confirmedAt, now),
    unexpected_database: (status?.unexpectedDatabase ?? null) !== null,
  };
  return {
    status: isServing ? 200 : 503,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      ...(isServing ? {} : { "Retry-After": "5" }),
    },
    body: JSON.stringify(body),
  };
}

/** Whole seconds; never negative, even if the clock was set back. */
function ageOf(at: number | null | undefined, now: number): number | null {
  return at ? Math.max(0, Math.round((now - at) / 1000)) : null;
}
