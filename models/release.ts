import { Schema } from "mongoose";
import { modelOf, part, text } from "./parts";
import { author } from "./release-parts";

const recordId = { type: Number, default: null } as const;

const item = new Schema(
  {
    family: { type: String, required: true },
    /** Name, category or uuid; empty for the module config. Not `required`, because empty texts would fail. */
    key: { type: String, default: "" },
    /** Null: it did not exist. */
    beforeId: recordId,
    afterId: recordId,
    change: { type: String, required: true },
    summary: { type: String, default: "" },
  },
  part,
);

/** One change of what production serves (`releases.md` L1), written in its transaction and never changed. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    kind: { type: String, required: true },
    name: text,
    note: text,
    /** Null: unknown, because a server version without releases made the change. */
    author: { type: author, default: null },
    at: { type: Date, required: true },
    revision: { type: Number, required: true },
    items: [item],
    findings: [{ type: Schema.Types.Mixed }],
    reason: text,
    /** The second person (`people.md` P9); null if no approval was needed. */
    approvedBy: { type: author, default: null },
    returnedTo: { type: Number, default: null },
  },
  { collection: "releases", strict: "throw", minimize: false },
);
schema.index({ kind: 1, _id: -1 });
schema.index({ "items.key": 1, _id: -1 });

export const ReleaseModel = modelOf("Release", schema);
