import { ApiError } from "@/lib/platform/http/client";

/**
 * What is said when something was not done because of what somebody else has saved.
 *
 * @param act e.g. "deleted"
 */
export function overtaken(act: string, name: string, advice?: string): ApiError {
  const words = `Nothing was ${act}: someone else has saved ${name}.`;
  return new ApiError(advice === undefined ? words : `${words} ${advice}`, 409, null, null);
}
