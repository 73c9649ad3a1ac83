import { Schema } from "mongoose";
import { roles } from "@/lib/vocabulary/roles";
import { modelOf } from "../parts";

/** API tokens (`people.md` P10). Only the SHA-256 of the secret is stored. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    role: { type: String, enum: roles, required: true },
    /** Identifies the record; does not grant access. */
    prefix: { type: String, required: true },
    hash: { type: String, required: true },
    /** Null: never. */
    expiresAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, default: null },
    isCreatorVerified: { type: Boolean, default: false },
    /** The permanent id of the creator; null if authentication did not identify users. */
    makerId: { type: String, default: null },
    /** Accurate to the hour; null: never. */
    lastUsedAt: { type: Date, default: null },
  },
  { collection: "access_tokens", strict: "throw" },
);
schema.index({ prefix: 1 }, { unique: true });

export const AccessTokenModel = modelOf("AccessToken", schema);
