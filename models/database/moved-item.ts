import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** The original state of an item migrated from an sdl_server, so that a later run can tell what has changed since. */
const schema = new Schema(
  {
    /** Kind and key, such as `group:Base-4` or `version:<uuid>:<number>`. */
    _id: { type: String, required: true },
    digest: { type: String, required: true },
  },
  { collection: "moved_items", strict: "throw" },
);

export const MovedItemModel = modelOf("MovedItem", schema);
