/** `rpc_priority_table` of SDL proposal 0315: 1 comes before 2. Safe in the browser. */
import { namesOf } from "@/lib/vocabulary/members";

/** The maps in table order, with the names that they may have; null: any RPC. */
export const priorityMaps = {
  rpc_priority: null,
  app_priority: ["EMERGENCY", "NAVIGATION", "VOICE_COMMUNICATION", "COMMUNICATION", "NORMAL", "NONE"],
  hmi_status_priority: ["FULL", "LIMITED", "BACKGROUND", "NONE"],
} as const satisfies Readonly<Record<string, readonly string[] | null>>;
export type PriorityMap = keyof typeof priorityMaps;
export const priorityMapNames = namesOf(priorityMaps);

/** An interface of the HMI API and its function, such as `UI.Alert`, or the function alone. */
export function isRpcName(name: string): boolean {
  return name.length <= 255 && /^[a-z]\w*(?:\.[a-z]\w*)?$/i.test(name);
}

/** The proposal names no limits; head units read signed 32-bit numbers. */
export const rpcPriorityLimits = { min: 0, max: 2_147_483_647 } as const;

/** The defaults of the proposal. */
export const defaultRpcPriorities: Readonly<Record<PriorityMap, Readonly<Record<string, number>>>> = {
  rpc_priority: {
    "BC.DialNumber": 1,
    "TTS.SPEAK": 3,
    "UI.Alert": 2,
    "UI.PerformAudioPassThru": 2,
    "UI.PerformInteraction": 3,
    "UI.ScrollableMessage": 3,
    "UI.Slider": 3,
  },
  app_priority: { EMERGENCY: 0, NAVIGATION: 1, VOICE_COMMUNICATION: 2, COMMUNICATION: 3, NORMAL: 4, NONE: 5 },
  hmi_status_priority: { FULL: 1, LIMITED: 2, BACKGROUND: 3, NONE: 4 },
};
