import "server-only";
import type { ClientSession } from "mongoose";
import { isSealedKey, sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { ModuleConfigModel } from "@/models/module-config";

const context: WriteContext = { actor: "setup", route: "key encryption", requestId: null };

/**
 * Encrypts keys stored before `KEY_ENCRYPTION_KEY` (32 bytes) was set, and returns how many (`settings.md` section 7).
 * Raises the revision, so that the policy saved on disk is rewritten without readable keys.
 */
export async function sealStoredKeys(key: Buffer): Promise<number> {
  // There is rarely anything to do, and a transaction would block other instances.
  if ((await findReadable()).length === 0) return 0;
  return inTransaction(context, async (tx) => {
    const readable = await findReadable(tx.session);
    for (const { _id, privateKey } of readable) {
      const set = { privateKey: sealPrivateKey(privateKey ?? null, key), updatedAt: tx.now };
      await ModuleConfigModel.updateOne({ _id }, { $set: set }, { session: tx.session, timestamps: false });
    }
    tx.record({ action: "module.seal", target: "module_config", after: readable.map(({ _id }) => _id) });
    return readable.length;
  });
}

async function findReadable(session: ClientSession | null = null) {
  try {
    const members = { privateKey: 1 };
    const found = await ModuleConfigModel.find({ privateKey: { $ne: null } }, members, { session }).lean();
    return found.filter(({ privateKey }) => privateKey && !isSealedKey(privateKey));
  } catch (error) {
    throw toDatabaseError(error);
  }
}
