import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** One thing that was carried over from an sdl_server, as it was there: tells a later run what has changed since. */
const schema = new Schema(
  {
    /** What it is, such as `group:Base-4` or `version:<uuid>:<number>`. */
    _id: { type: String, required: true },
    /** Of its content (`lib/exchange/migration/items.ts`). */
    digest: { type: String, required: true },
  },
  { collection: "moved_items", strict: "throw" },
);

export const MovedItemModel = modelOf("MovedItem", schema);
