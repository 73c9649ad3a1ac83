import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** A single document: which database this is, and what its content looks like. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    /** Made once, at random: tells this database from any other, also from one of the same name and revision. */
    databaseId: { type: String, required: true },
    /** Version of the collections' structure; a program that knows only earlier ones does not start. */
    schemaVersion: { type: Number, required: true },
    madeAt: { type: Date, required: true },
    /** Ids of the databases that this one has replaced by restores: what it was copied from, and what was there before. */
    succeeds: { type: [String], default: undefined },
    /** While a backup is being restored, and when that was broken off: no server uses the database then. */
    restoringSince: { type: Date, default: null },
    /** While data of another server is being loaded, and when that was broken off: the same. */
    importingSince: { type: Date, default: null },
  },
  { collection: "database_facts", strict: "throw" },
);

export const DatabaseFactsModel = modelOf("DatabaseFacts", schema);
