"one per process";

import "server-only";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";

class DryRun extends Error {
  override readonly name = "DryRun";
}

export async function inDryRun<T>(writer: WriteContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await inTransaction(writer, async (tx) => {
      results.push(await work(tx));
      throw new DryRun("nothing is stored in a dry run");
    });
  } catch (error) {
    // Retries give several results; the last one counts.
    const result = results.at(-1);
    if (error instanceof DryRun && result !== undefined) return result;
    throw error;
  }
  throw new Error("a dry run is always left");
}
