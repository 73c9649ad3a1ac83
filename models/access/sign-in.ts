import { type InferSchemaType, Schema } from "mongoose";
import { roles } from "@/lib/labels/roles";
import { modelOf } from "../parts";

/** Who has signed in at the identity provider, and what they may (`people.md` P4). */
const schema = new Schema(
  {
    /** The session's random id, which is sealed in its cookie and opens nothing by itself. */
    _id: { type: String, required: true },
    /** Id of the person: stays the same while names change. */
    person: { type: String, required: true },
    name: { type: String, required: true },
    /** The person and the session at the provider (`sub`, `sid`), by which it ends sessions; null: it named none. */
    subject: { type: String, default: null },
    providerSession: { type: String, default: null },
    /** Null: none of the person's groups has a role. */
    role: { type: String, enum: [...roles, null], default: null },
    /** When the provider is asked for the role again; null: it offers no way. */
    dueAt: { type: Date, default: null },
    /** Where the provider told of the groups: there they are looked for again. */
    source: { type: String, enum: ["id_token", "userinfo"], required: true },
    /** The provider's tokens, sealed with SESSION_SECRET. */
    sealed: { type: String, required: true },
    endsAt: { type: Date, required: true },
  },
  { collection: "sign_ins", strict: "throw" },
);
schema.index({ endsAt: 1 });

export type SignInRecord = InferSchemaType<typeof schema>;
export const SignInModel = modelOf("SignIn", schema);
