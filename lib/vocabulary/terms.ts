/** Models, schemas, pages and the compiler import it, so it imports nothing. */

/** The two states of data. The route or the `environment` parameter selects one. */
export const environments = ["staging", "production"] as const;
export type Environment = (typeof environments)[number];

/** Whether a save or a promotion stored a versioned record (`api.md` section 1). */
export const recordStatuses = ["STAGING", "PRODUCTION"] as const;
export type RecordStatus = (typeof recordStatuses)[number];

export const hmiLevels = ["BACKGROUND", "FULL", "LIMITED", "NONE"] as const;
export type HmiLevel = (typeof hmiLevels)[number];

export const hmiTextLevels = ["HMI_FULL", "HMI_LIMITED", "HMI_BACKGROUND", "HMI_NONE"] as const;
export type HmiTextLevel = (typeof hmiTextLevels)[number];

export const approvalStatuses = ["PENDING", "STAGING", "ACCEPTED", "LIMITED"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const permissionTypes = ["RPC", "PARAMETER", "MODULE"] as const;
export type PermissionType = (typeof permissionTypes)[number];

export const hybridPreferences = ["CLOUD", "MOBILE", "BOTH"] as const;
export type HybridPreference = (typeof hybridPreferences)[number];

/** Members of both notification maps, in table order (rule M7). */
export const notificationPriorities = [
  "EMERGENCY",
  "NAVIGATION",
  "PROJECTION",
  "VOICECOM",
  "COMMUNICATION",
  "NORMAL",
  "NONE",
] as const;
export type NotificationPriority = (typeof notificationPriorities)[number];

/** Highest first, as head units know them. */
export const appPriorities = ["EMERGENCY", "NAVIGATION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"] as const;
export type AppPriority = (typeof appPriorities)[number];

/** Seconds between the retries of an update, as in the initial data. */
export const defaultRetries: readonly number[] = [1, 5, 25, 125, 625];

export const refreshCounts = [
  "exchangeAfterXIgnitionCycles",
  "exchangeAfterXKilometers",
  "exchangeAfterXDays",
  "timeoutAfterXSeconds",
] as const;

/** Endpoints whose address is stored; `0x07` is computed (rules M3 to M5). Table order. */
export const storedEndpoints = [
  "0x04",
  "queryAppsUrl",
  "lock_screen_icon_url",
  "custom_vehicle_data_mapping_url",
] as const;
export type StoredEndpoint = (typeof storedEndpoints)[number];

export const messageTextFields = ["tts", "line1", "line2", "textBody", "label"] as const;
export type MessageTextField = (typeof messageTextFields)[number];

/** Whether a driver sees or hears anything. */
export function hasText(texts: Readonly<Partial<Record<MessageTextField, unknown>>>): boolean {
  return messageTextFields.some((field) => Boolean(texts[field]));
}

/** Every message has this language, because head units refuse a table with one that lacks it. */
export const mainLanguage = "en-us";

export const limitNames = ["minLength", "maxLength", "minSize", "maxSize", "minValue", "maxValue"] as const;
export type LimitName = (typeof limitNames)[number];

/** RPCs whose parameters are vehicle data (`api.md` 11.2). */
export const vehicleDataRpcs = [
  "GetVehicleData",
  "OnVehicleData",
  "SubscribeVehicleData",
  "UnsubscribeVehicleData",
] as const;

/** Their responses do not name the requested data; their requests do (rule F5). */
export const vehicleDataSubscriptions: ReadonlySet<string> = new Set([
  "SubscribeVehicleData",
  "UnsubscribeVehicleData",
]);

/** Without it, an app can call no other. */
export const registrationRpc = "RegisterAppInterface";

/** Head units show its text body with a lock screen that passengers may dismiss. */
export const lockScreenMessage = "LockScreenDismissalWarning";

/** An app gets the next policy table with the first and answers with the second (rule G10). */
export const updateRpcs: readonly string[] = ["OnSystemRequest", "SystemRequest"];

/** Without any of these no app brings a vehicle its next policy table. */
export const neededRpcs: readonly string[] = [registrationRpc, ...updateRpcs];

export const appFlags = [
  "isAutoApprovedEnabled",
  "isAdministratorApp",
  "allowUnknownRpcPassthrough",
  "hybridAppPreference",
  "priority",
  "encryptionRequired",
] as const;

/** Kinds of requests for approval (`people.md` P9). */
export const approvalKinds = ["publish", "return", "decision", "flag", "import"] as const;
