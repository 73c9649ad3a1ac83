import { type Finding, readFindings } from "@/app/_components/feedback/findings";
import { ApiError } from "@/lib/platform/http/client";

/** What head units would refuse, when that is why a route refused; null for every other error. */
export function readRefusal(error: unknown): readonly Finding[] | null {
  return error instanceof ApiError && error.status === 409 ? readFindings(error.data) : null;
}
