import { describeProblem } from "@/app/_components/feedback/problem";
import { bulkAnswer, type BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import type { BulkDecision } from "@/lib/apps/applications/bulk/schema";
import { post } from "@/lib/platform/http/client";

/** What is sent: to take something back the items alone. */
export interface SentBulk {
  readonly decision?: BulkDecision;
  readonly reason?: string;
  readonly items: readonly { readonly id: number }[];
}

/** So many apps are sent at once: small enough to tell how far it is. */
const perRequest = 10;

/**
 * Sends a decision about many apps, or takes one back, in several requests one after the other. Once something is done a
 * failed request throws no more: its apps count as failed, and the others are not tried.
 *
 * @param path of the route
 * @param onProgress is told for how many it is known what became of them
 */
export async function sendBulk(
  path: string,
  { items, ...body }: SentBulk,
  onProgress: (count: number) => void,
): Promise<BulkResultJson[]> {
  const results: BulkResultJson[] = [];
  onProgress(0);
  while (results.length < items.length) {
    const part = items.slice(results.length, results.length + perRequest);
    try {
      const data = await post(path, { arg: { ...body, items: part } });
      results.push(...bulkAnswer.parse(data).results);
    } catch (error) {
      if (results.length === 0) throw error;
      const sentence = describeProblem(error);
      const rest = items.slice(results.length);
      results.push(...rest.map(({ id }, at) => failed(id, at < part.length ? sentence : `Not tried: ${sentence}`)));
    }
    onProgress(results.length);
  }
  return results;
}

const failed = (id: number, message: string): BulkResultJson => {
  return { id, outcome: "failed", message, findings: [], undo: null };
};
