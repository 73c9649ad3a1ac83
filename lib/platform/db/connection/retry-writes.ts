import { processIdentity } from "@/lib/platform/db/connection/process-identity";
import { noteWriteRefusal, sentenceOfRefusal, writeRefusal } from "@/lib/platform/db/connection/write-refusal";
import { LockModel } from "@/models/database/lock";

/** Why the database refuses writes, or null. While it does, tries again with a harmless write. */
export async function findWriteRefusal(): Promise<string | null> {
  if (writeRefusal() === null) return null;
  const probe = { _id: `write probe;${processIdentity}` };
  try {
    await LockModel.updateOne(probe, { $set: { owner: processIdentity, expiresAt: new Date() } }, { upsert: true });
    await LockModel.deleteOne(probe);
    noteWriteRefusal(null);
  } catch (error) {
    const sentence = sentenceOfRefusal(error);
    if (sentence === null) throw error;
    noteWriteRefusal(sentence);
  }
  return writeRefusal();
}
