import { Schema } from "mongoose";
import { modelOf, part, text } from "./parts";
import { author } from "./release-parts";

const recordId = { type: Number, default: null } as const;

const item = new Schema(
  {
    family: { type: String, required: true },
    /** Name, category or uuid; empty for the module config. Not `required`, which an empty text fails. */
    key: { type: String, default: "" },
    /** Null: it was not there. */
    beforeId: recordId,
    /** Null: it is not there. */
    afterId: recordId,
    change: { type: String, required: true },
    summary: { type: String, default: "" },
  },
  part,
);

/** One change of what production serves (`releases.md` L1), written in its transaction and never again. */
const schema = new Schema(
  {
    /** Its number: 1, 2, 3, … */
    _id: { type: Number, required: true },
    kind: { type: String, required: true },
    name: text,
    note: text,
    /** Null: nobody knows, because a version before releases made the change. */
    author: { type: author, default: null },
    at: { type: Date, required: true },
    /** The revision that it made. */
    revision: { type: Number, required: true },
    items: [item],
    /** What was found and published all the same, as routes answer it. */
    findings: [{ type: Schema.Types.Mixed }],
    reason: text,
    /** The second person (`people.md` P9); null: nobody had to approve it. */
    approvedBy: { type: author, default: null },
    /** The release whose content a return has brought back. */
    returnedTo: { type: Number, default: null },
  },
  { collection: "releases", strict: "throw", minimize: false },
);
schema.index({ kind: 1, _id: -1 });
/** The releases of one item. */
schema.index({ "items.key": 1, _id: -1 });

export const ReleaseModel = modelOf("Release", schema);
