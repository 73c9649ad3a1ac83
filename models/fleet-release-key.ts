import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Keys of what a release served, by which cars' groups tell their release (`fleet.md` S4). */
const schema = new Schema(
  {
    /** The hash that `lib/fleet/release-key.ts` makes. */
    _id: { type: String, required: true },
    /** The newest release that has it. */
    release: { type: Number, required: true },
  },
  { collection: "fleet_release_keys", strict: "throw" },
);

export const FleetReleaseKeyModel = modelOf("FleetReleaseKey", schema);
