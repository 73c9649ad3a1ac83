import { type InferSchemaType, Schema } from "mongoose";
import { roles } from "@/lib/vocabulary/roles";
import { modelOf } from "../parts";

/** Users signed in with the identity provider, and their roles (`people.md` P4). */
const schema = new Schema(
  {
    /** The session's random id, which is sealed in its cookie and does not grant access by itself. */
    _id: { type: String, required: true },
    person: { type: String, required: true },
    name: { type: String, required: true },
    /** The person and the session at the provider (`sub`, `sid`), which it uses to end sessions; null if it sent none. */
    subject: { type: String, default: null },
    providerSession: { type: String, default: null },
    role: { type: String, enum: [...roles, null], default: null },
    roleProblem: { type: String, default: null },
    /** When to ask the provider for the role again; null if it does not support that. */
    dueAt: { type: Date, default: null },
    /** Where the provider listed the groups, and where to look for them again. */
    source: { type: String, enum: ["id_token", "userinfo"], required: true },
    /** The provider's tokens, encrypted with SESSION_SECRET. */
    sealed: { type: String, required: true },
    endsAt: { type: Date, required: true },
  },
  { collection: "sign_ins", strict: "throw" },
);
schema.index({ endsAt: 1 });

export type SignInRecord = InferSchemaType<typeof schema>;
export const SignInModel = modelOf("SignIn", schema);
