import { ApiError, ask } from "@/lib/platform/http/client";
import type {
  PublishedAnswer,
  ReleaseCheckJson,
  ReleaseEffectJson,
  ReleaseItemJson,
} from "@/lib/content/releases/answer-schema";

export interface PlannedReturn {
  readonly items: readonly ReleaseItemJson[];
  readonly checks: readonly ReleaseCheckJson[];
  readonly effect: ReleaseEffectJson | null;
}

/** A reason must be given with `force`; this one is never stored. */
const dryRun = JSON.stringify({ dry_run: true, force: true, reason: "Preview" });

/** Asks what a return would do, without doing it. @throws ApiError, such as for the state that production has already */
export async function loadReturn(path: string): Promise<PlannedReturn> {
  try {
    const answer = (await ask([path, dryRun])) as PublishedAnswer;
    return { items: answer.release.items, checks: answer.checks ?? [], effect: answer.effect ?? null };
  } catch (error) {
    const checks = error instanceof ApiError && error.status === 409 ? readChecks(error.data) : null;
    if (checks === null) throw error;
    return { items: [], checks, effect: null };
  }
}

/** `data.checks` of a return that is refused. */
function readChecks(data: unknown): readonly ReleaseCheckJson[] | null {
  if (typeof data !== "object" || data === null || !("checks" in data) || !Array.isArray(data.checks)) return null;
  const list: readonly unknown[] = data.checks;
  return list.filter(isCheck);
}

/** As much of a check as is shown. */
function isCheck(value: unknown): value is ReleaseCheckJson {
  return typeof value === "object" && value !== null && "level" in value && "message" in value && "remedy" in value;
}
