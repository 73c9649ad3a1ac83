import { appPriorities } from "@/lib/vocabulary/terms";

/** The values that head units know, case-sensitive (section 3). The server's own lists contain more. */

export const priorities: ReadonlySet<unknown> = new Set(appPriorities);

/** Unknown as priorities of apps, but harmless as keys of the notification maps. */
export const harmlessPriorities: ReadonlySet<string> = new Set(["PROJECTION", "VOICE_COMMUNICATION"]);

export const levels: ReadonlySet<unknown> = new Set(["FULL", "LIMITED", "BACKGROUND", "NONE"]);

export const knownHybridPreferences: ReadonlySet<unknown> = new Set(["MOBILE", "CLOUD", "BOTH"]);

const modules = ["CLIMATE", "RADIO", "SEAT", "AUDIO", "LIGHT", "HMI_SETTINGS", "EMPTY"];
export const moduleTypes: ReadonlySet<unknown> = new Set(modules);

export const appHmiTypes: ReadonlySet<unknown> = new Set([
  ...["DEFAULT", "COMMUNICATION", "MEDIA", "MESSAGING", "NAVIGATION", "INFORMATION", "SOCIAL", "BACKGROUND_PROCESS"],
  ...["TESTING", "SYSTEM", "PROJECTION", "REMOTE_CONTROL", "WEB_VIEW"],
]);

export const requestTypes: ReadonlySet<unknown> = new Set([
  ...["HTTP", "FILE_RESUME", "AUTH_REQUEST", "AUTH_CHALLENGE", "AUTH_ACK", "PROPRIETARY", "QUERY_APPS", "LAUNCH_APP"],
  ...["LOCK_SCREEN_ICON_URL", "TRAFFIC_MESSAGE_CHANNEL", "DRIVER_PROFILE", "VOICE_SEARCH", "NAVIGATION", "PHONE"],
  ...["CLIMATE", "SETTINGS", "VEHICLE_DIAGNOSTICS", "EMERGENCY", "MEDIA", "FOTA", "OEM_SPECIFIC", "ICON_URL", "EMPTY"],
]);
