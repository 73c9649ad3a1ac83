import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Model } from "mongoose";
import { rawCollection, type RawDocument } from "@/lib/platform/db/raw";

/**
 * Stores new documents past Mongoose, which takes more time over them than all else. It makes the first one all the same:
 * the others get its defaults, and it must come out as it went in.
 *
 * @throws Error when the schema would store something else
 */
export async function storePlain<T>(
  model: Model<T>,
  documents: readonly Readonly<Record<string, unknown>>[],
  session: ClientSession,
): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  const made = new model(first);
  await made.validate();
  const now = new Date();
  const times = model.schema.get("timestamps") ? { createdAt: now, updatedAt: now } : {};
  const stored: Record<string, unknown> = { ...made.toObject(), __v: 0, ...times };
  const defaults = Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in first)));
  const plain = documents.map((document) => ({ ...defaults, ...document }));
  const isComplete = plain.every((document) => Object.keys(document).length === Object.keys(stored).length);
  if (!isComplete || !isDeepStrictEqual(plain[0], stored)) {
    throw new Error(`${model.modelName}: the schema stores another document than the one that is given`);
  }
  await rawCollection(model).insertMany(plain as unknown as RawDocument[], { session });
}
