import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** A single document: which database this is, and the structure of its content. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    /** Random and permanent: distinguishes this database from any other, even one with the same name and revision. */
    databaseId: { type: String, required: true },
    schemaVersion: { type: Number, required: true },
    madeAt: { type: Date, required: true },
    /** Which key seals the audit trail (`gate.md` W11); null: it was never sealed. */
    auditKeyId: { type: String, default: null },
    /** Ids of the databases that this one has replaced in restores: the one it was copied from, and the previous one. */
    succeeds: { type: [String], default: undefined },
    /** Set while a backup is being restored or after an interruption; no server uses the database then. */
    restoringSince: { type: Date, default: null },
    importingSince: { type: Date, default: null },
  },
  { collection: "database_facts", strict: "throw" },
);

export const DatabaseFactsModel = modelOf("DatabaseFacts", schema);
