import { type InferSchemaType, Schema } from "mongoose";
import { recordOf } from "@/lib/vocabulary/members";
import { priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import { notificationPriorities, refreshCounts, storedEndpoints } from "@/lib/vocabulary/terms";
import { flag, modelOf, part, recordMembers, text } from "./parts";
import { classifyRecords, watched } from "./written";

const count = { type: Number, required: true } as const;
const url = { type: String, default: "" } as const;
const notifications = new Schema(
  recordOf(notificationPriorities, () => count),
  part,
);
/** A list, not a map: property names may contain dots or start with `$`, which MongoDB does not allow in member names. */
const endpointProperty = new Schema(
  {
    endpoint: { type: String, enum: storedEndpoints, required: true },
    name: { type: String, required: true },
    value: { type: String, default: "" },
  },
  part,
);
/** A list for the same reason: `UI.Alert`. */
const rpcPriority = new Schema(
  {
    map: { type: String, enum: priorityMapNames, required: true },
    name: { type: String, required: true },
    priority: count,
  },
  part,
);
const schema = new Schema(
  {
    ...recordMembers,
    ...recordOf(refreshCounts, () => count),
    secondsBetweenRetries: [{ type: Number, required: true }],
    lockScreenDismissalEnabled: flag,
    endpoints: recordOf(storedEndpoints, () => url),
    /** The `endpoints` with this server's own URL, which follows the settings (`policy-table.md` M4). */
    ownEndpoints: { type: [{ type: String, enum: storedEndpoints }], default: undefined },
    endpointProperties: [endpointProperty],
    notificationsPerMinute: { type: notifications, required: true },
    subtleNotificationsPerMinute: { type: notifications, required: true },
    rpcPriorityTable: { type: [rpcPriority], default: undefined },
    /** PEM; renewed in place, which is the only change to a stored record (`directory.md` 9.3). */
    certificate: text,
    privateKey: text,
    expirationTs: { type: Date, default: null },
  },
  { collection: "module_configs", strict: "throw", timestamps: true },
);
/** All records share one key; the views use the greatest id, overall and of one status. */
schema.index({ status: 1, _id: -1 });
schema.index({ status: 1, release: 1, _id: -1 });

export type ModuleConfigRecord = InferSchemaType<typeof schema>;
export const ModuleConfigModel = watched(modelOf("ModuleConfig", schema), classifyRecords);
