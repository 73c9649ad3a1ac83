import { type InferSchemaType, Schema } from "mongoose";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf } from "@/lib/vocabulary/members";
import { hmiLevels } from "@/lib/vocabulary/terms";
import { flag, indexViews, modelOf, part, recordMembers, text } from "./parts";
import { classifyRecords, watched } from "./written";

const rpc = new Schema(
  {
    name: { type: String, required: true },
    levels: [{ type: String, enum: hmiLevels, required: true }],
    parameters: [{ type: String, required: true }],
  },
  part,
);
const schema = new Schema(
  {
    ...recordMembers,
    name: { type: String, required: true },
    isDeleted: flag,
    description: text,
    userConsentPrompt: text,
    ...recordOf(groupFlags, () => flag),
    /** Only RPCs with at least one level are stored (`api.md` 11.4). */
    rpcs: [rpc],
  },
  { collection: "functional_groups", strict: "throw", timestamps: true },
);
indexViews(schema, "name");

export type FunctionalGroupRecord = InferSchemaType<typeof schema>;
export const FunctionalGroupModel = watched(modelOf("FunctionalGroup", schema), classifyRecords);
