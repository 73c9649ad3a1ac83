import type { Model } from "mongoose";
import type { z } from "zod";

export interface Damage {
  readonly collection: string;
  readonly id: unknown;
  /** Names the member, but never shows its value. */
  readonly reason: string;
}
export type ReportDamage = (damage: Damage) => void;

export function damageOf(
  model: Pick<Model<unknown>, "collection">,
  document: { readonly _id: unknown },
  error: z.ZodError,
): Damage {
  const { path, message } = error.issues[0] ?? { path: [], message: "unreadable" };
  const reason = `${path.length > 0 ? path.join(".") : "document"}: ${message}`;
  return { collection: model.collection.collectionName, id: document._id, reason };
}
