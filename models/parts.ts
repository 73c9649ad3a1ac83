import mongoose, { type InferSchemaType, type Model, type Schema, type SchemaDefinition } from "mongoose";
import { recordStatuses } from "@/lib/vocabulary/terms";

/** The model of a schema, once per process, however often its file is loaded. */
export function modelOf<S extends Schema>(name: string, schema: S): Model<InferSchemaType<S>> {
  return mongoose.models[name] ?? mongoose.model<InferSchemaType<S>>(name, schema);
}

export const part = { _id: false, id: false, strict: "throw" } as const;
export const text = { type: String, default: null } as const;
export const flag = { type: Boolean, required: true, default: false } as const;

/** The members of versioned records besides their content; `release` published a PRODUCTION record (`releases.md` L3). */
export const recordMembers = {
  _id: { type: Number, required: true },
  status: { type: String, enum: recordStatuses, required: true },
  release: { type: Number },
} as const satisfies SchemaDefinition;

/** Records are append-only: views read the greatest id per key, overall, of one status, or as of a release. */
export function indexViews(schema: Pick<Schema, "index">, key: string): void {
  schema.index({ [key]: 1, _id: -1 });
  schema.index({ status: 1, [key]: 1, _id: -1 });
  schema.index({ status: 1, release: 1, [key]: 1, _id: -1 });
}
