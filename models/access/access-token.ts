import { Schema } from "mongoose";
import { roles } from "@/lib/labels/roles";
import { modelOf } from "../parts";

/** Tokens with which programs call the API (`people.md` P10). The secret is nowhere, only its SHA-256. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    role: { type: String, enum: roles, required: true },
    /** Finds the record; opens nothing. */
    prefix: { type: String, required: true },
    /** SHA-256 of the secret, in hexadecimal digits. */
    hash: { type: String, required: true },
    /** Null: never. */
    expiresAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    /** The name of who made it, and whether it was verified. */
    createdBy: { type: String, default: null },
    isCreatorVerified: { type: Boolean, default: false },
    /** What they are known by to the end; null: nobody asked who they are. */
    makerId: { type: String, default: null },
    /** To the hour; null: never. */
    lastUsedAt: { type: Date, default: null },
  },
  { collection: "access_tokens", strict: "throw" },
);
schema.index({ prefix: 1 }, { unique: true });

export const AccessTokenModel = modelOf("AccessToken", schema);
