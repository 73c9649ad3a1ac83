/** The project's fixed vocabulary. Models, schemas, pages and the compiler import it, so it imports nothing. */

/** The two states of data. The route or the `environment` parameter selects one. */
export const environments = ["staging", "production"] as const;
export type Environment = (typeof environments)[number];

/** Whether a save or a promotion stored a versioned record (`api.md` section 1). */
export const recordStatuses = ["STAGING", "PRODUCTION"] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** HMI levels in the order of a policy table (rule F6). */
export const hmiLevels = ["BACKGROUND", "FULL", "LIMITED", "NONE"] as const;
export type HmiLevel = (typeof hmiLevels)[number];

/** HMI levels in applications (`api.md` 0.8). */
export const hmiTextLevels = ["HMI_FULL", "HMI_LIMITED", "HMI_BACKGROUND", "HMI_NONE"] as const;
export type HmiTextLevel = (typeof hmiTextLevels)[number];

/** Decisions about an application version (`api.md` 4.1). */
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

/** Priorities of apps, the highest first: those that head units know. A PROJECTION would become another one. */
export const appPriorities = ["EMERGENCY", "NAVIGATION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"] as const;
export type AppPriority = (typeof appPriorities)[number];

/** Seconds between the retries of an update, as in the initial data. */
export const defaultRetries: readonly number[] = [1, 5, 25, 125, 625];

/** Numbers in the module config: when a vehicle requests a new table, and how long it waits. */
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

/** The texts of a consumer message in one language, as stored. */
export const messageTextFields = ["tts", "line1", "line2", "textBody", "label"] as const;
export type MessageTextField = (typeof messageTextFields)[number];

/** Whether a driver sees or hears anything in this language. */
export function hasText(texts: Readonly<Partial<Record<MessageTextField, unknown>>>): boolean {
  return messageTextFields.some((field) => Boolean(texts[field]));
}

/** Every message has this language, because head units refuse a table with one that lacks it. */
export const mainLanguage = "en-us";

/** Limits of an item of custom vehicle data; null: none. */
export const limitNames = ["minLength", "maxLength", "minSize", "maxSize", "minValue", "maxValue"] as const;
export type LimitName = (typeof limitNames)[number];

/** RPCs whose parameters are vehicle data (`api.md` 11.2). */
export const vehicleDataRpcs = [
  "GetVehicleData",
  "OnVehicleData",
  "SubscribeVehicleData",
  "UnsubscribeVehicleData",
] as const;

/** The RPCs whose responses do not name the requested data; their requests do (rule F5). */
export const vehicleDataSubscriptions: ReadonlySet<string> = new Set([
  "SubscribeVehicleData",
  "UnsubscribeVehicleData",
]);

/** The first RPC of every app. Without it, an app can call no other. */
export const registrationRpc = "RegisterAppInterface";

/** The message whose text body head units show with a lock screen that passengers may dismiss. */
export const lockScreenMessage = "LockScreenDismissalWarning";

/** What an app brings the next policy table with: it gets the first and answers with the second (rule G10). */
export const updateRpcs: readonly string[] = ["OnSystemRequest", "SystemRequest"];

/** Without any of these no app brings a vehicle its next policy table. */
export const neededRpcs: readonly string[] = [registrationRpc, ...updateRpcs];

/** Flags that give an app more permissions without another version. */
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
