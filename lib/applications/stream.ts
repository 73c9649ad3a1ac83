import "server-only";
import { loadApplicationBatches } from "@/lib/applications/queries";

/** The object `{"applications": […]}` as JSON text in pieces of at most a hundred records. */
export async function* streamApplications(ids: readonly number[]): AsyncGenerator<string> {
  let before = '{"applications":[';
  for await (const batch of loadApplicationBatches(ids)) {
    if (batch.length === 0) continue;
    yield before + batch.map((application) => JSON.stringify(application)).join(",");
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}
