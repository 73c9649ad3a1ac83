"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { isObject, type JsonObject, memberOf } from "@/lib/policy/head-unit/values";
import type { Permits, RpcPermit } from "@/lib/policy/permits/permits";
import type { ByBuild, ConditionRule } from "@/lib/vocabulary/head-units";
import { listShownMessages } from "@/lib/policy/table/consumer-messages";
import { listedGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { type Environment, type HmiLevel, hmiLevels, lockScreenMessage, mainLanguage } from "@/lib/vocabulary/terms";

/** What a part of the head unit other than its policy component decides about a call that the groups permit. */
export interface Condition {
  readonly rule: ConditionRule;
  /** False: the call is possible, but only in this way. */
  readonly isRejected: boolean;
  /** A clause that follows "the car rejects it: ", or a sentence of its own with a capital. */
  readonly message: string;
  /** What to do about it, as a clause that begins with a verb. */
  readonly cure: string;
}

export interface CarSettings {
  /** Maximum alerts per minute by priority. A head unit takes a missing one as 0. */
  readonly limits: Readonly<Record<AlertRpc, Readonly<Record<string, unknown>>>>;
  readonly encrypted: ReadonlySet<string>;
  /** Languages of the lock screen's warning without a text, if the table enables dismissal; null: it has no text in the main language. */
  readonly unwarned: readonly string[] | null;
}

export interface RpcCall {
  readonly rpc: string;
  readonly level: HmiLevel;
  readonly parameter?: string | null;
  /** A remote-control module; absent: any of them. */
  readonly module?: string | null;
}

const alertRpcs = ["Alert", "SubtleAlert"] as const;
type AlertRpc = (typeof alertRpcs)[number];
const isAlert = (rpc: string): rpc is AlertRpc => alertRpcs.some((name) => name === rpc);

/** Commands of the head unit's remote control plugin, each for one module. */
const moduleRpcs: ReadonlySet<string> = new Set([
  ...["ButtonPress", "GetInteriorVehicleData", "GetInteriorVehicleDataConsent", "OnInteriorVehicleData"],
  ...["ReleaseInteriorVehicleDataModule", "SetInteriorVehicleData"],
]);
const lockScreenRpc = "OnDriverDistraction";
const conditionalRpcs = [...alertRpcs, ...moduleRpcs, "OnRCStatus", "OnTouchEvent", "PublishAppService", lockScreenRpc];

export function isConditional(rpc: string): boolean {
  return conditionalRpcs.includes(rpc);
}

/** RPCs that head units never require to be encrypted. */
const unencryptedRpcs: ReadonlySet<string> = new Set([
  ...["RegisterAppInterface", "SystemRequest", "OnPermissionsChange", "OnSystemRequest", "PutFile", "OnHMIStatus"],
]);
const dismissalParameters: ReadonlySet<string | null> = new Set([
  "lockScreenDismissalEnabled",
  "lockScreenDismissalWarning",
]);

/** `head-unit-rules.md` C16 to C22. `encryptedBy`: the entry's groups that list the RPC and must be encrypted. */
export function conditionsOn(
  call: RpcCall,
  entry: JsonObject,
  settings: CarSettings,
  encryptedBy: readonly string[] = [],
): Condition[] {
  return [
    ...limitOf(call, entry, settings),
    ...typeOf(call, entry),
    ...moduleOf(call, entry),
    ...encryptionOf(call, entry, encryptedBy),
    ...dismissalOf(call, settings),
    ...serviceOf(call, entry),
  ];
}

const reject = (rule: ConditionRule, message: string, cure: string): Condition[] => [
  { rule, isRejected: true, message, cure },
];
const note = (rule: ConditionRule, message: string, cure: string): Condition[] => [
  { rule, isRejected: false, message, cure },
];

function limitOf({ rpc, level }: RpcCall, entry: JsonObject, { limits }: CarSettings): Condition[] {
  if (!isAlert(rpc) || level !== "BACKGROUND") return [];
  const priority = String(entry["priority"]);
  if (Number(limits[rpc][priority] ?? 0) > 0) return [];
  const which = rpc === "Alert" ? "alerts" : "subtle alerts";
  return reject(
    "C16",
    `apps with the priority ${priority} may show 0 ${which} a minute in the background`,
    `give the app a priority whose limit of ${which} is above zero (Settings on its page), or raise the limit of ${priority}`,
  );
}

/** To a head unit, types in an entry replace those that the app registers with. */
function typesOf(entry: JsonObject): readonly unknown[] | null {
  const types = entry["AppHMIType"];
  return Array.isArray(types) ? types : null;
}

function typeOf({ rpc }: RpcCall, entry: JsonObject): Condition[] {
  const types = typesOf(entry);
  if (types === null) return [];
  const isListed = types.length > 0;
  if ((moduleRpcs.has(rpc) || (rpc === "OnRCStatus" && isListed)) && !types.includes("REMOTE_CONTROL")) {
    const cure = "give the app the type REMOTE_CONTROL in the app directory";
    return reject("C17", "its AppHMIType lacks REMOTE_CONTROL", cure);
  }
  if (rpc === "OnTouchEvent" && isListed && !types.includes("NAVIGATION") && !types.includes("PROJECTION")) {
    const cure = "give the app the type NAVIGATION or PROJECTION in the app directory";
    return reject("C21", "its AppHMIType lacks NAVIGATION and PROJECTION", cure);
  }
  return [];
}

function moduleOf({ rpc, module = null }: RpcCall, entry: JsonObject): Condition[] {
  if (!moduleRpcs.has(rpc)) return [];
  const modules = entry["moduleType"];
  const what = module ?? "a module";
  const cure = `have the app request ${what} in the app directory`;
  if (!Array.isArray(modules)) return reject("C18", "its entry has no moduleType, so it may use no module", cure);
  if (module === null || modules.length === 0 || modules.includes(module)) return [];
  return reject("C18", `its moduleType lacks ${module}`, cure);
}

function encryptionOf({ rpc }: RpcCall, entry: JsonObject, encryptedBy: readonly string[]): Condition[] {
  const [group] = encryptedBy;
  if (group === undefined || unencryptedRpcs.has(rpc)) return [];
  if (entry["encryption_required"] !== false) {
    const cure = "turn off encryption for the app or for the group";
    return note("C19", `Only over an encrypted connection: ${group} requires encryption.`, cure);
  }
  const message = `Unencrypted, too: ${group} requires encryption, but the app's own setting is off and overrides it.`;
  return note("C19", message, "turn on Require RPC encryption on the app's page");
}

function dismissalOf({ rpc, parameter = null }: RpcCall, { unwarned }: CarSettings): Condition[] {
  if (rpc !== lockScreenRpc || unwarned?.length === 0) return [];
  const cure = `write the text body of the message ${lockScreenMessage}`;
  if (unwarned === null && dismissalParameters.has(parameter)) {
    return reject("C20", `the message ${lockScreenMessage} has no text body in ${mainLanguage}`, cure);
  }
  const where = unwarned === null ? mainLanguage : unwarned.join(", ");
  return note("C20", `Without dismissal of the lock screen: ${lockScreenMessage} has no text body in ${where}.`, cure);
}

function serviceOf({ rpc }: RpcCall, entry: JsonObject): Condition[] {
  if (rpc !== "PublishAppService") return [];
  const services = entry["app_services"];
  if (isObject(services) && Object.keys(services).length > 0) return [];
  return reject("C22", "its entry names no app service", "add the service to the app in the app directory");
}

/** Head units use the types that an app on `default` registers with (C17, C21): assumed to be those of `own`. */
export function defaultEntryFor(everyApp: JsonObject, own: JsonObject | null): JsonObject {
  const types = own?.["AppHMIType"];
  return Array.isArray(types) && types.length > 0 ? { ...everyApp, AppHMIType: types } : everyApp;
}

/** A call that a condition rejects for an app, whatever its parameters are. */
export interface Rejection {
  readonly rpc: string;
  readonly levels: readonly HmiLevel[];
  readonly condition: Condition;
}

export interface Restriction {
  readonly key: string;
  readonly rejections: readonly Rejection[];
  readonly restrict: (permitted: ByBuild<Permits>) => ByBuild<Permits>;
}

/** Takes nothing away; for comparisons of RPCs that no condition is about. */
export const unrestricted: Restriction = { key: "", rejections: [], restrict: (permitted) => permitted };

const restrictionsOf = oncePer((_settings: CarSettings) => new Map<string, Restriction>());

/** Computed once for entries with the same conditions. `entry`: null if head units refuse every call. */
export function restrictionOf(entry: JsonObject | null, settings: CarSettings): Restriction {
  const known = restrictionsOf(settings);
  const key = JSON.stringify(
    entry && ["priority", "AppHMIType", "moduleType", "app_services"].map((name) => entry[name]),
  );
  const found = known.get(key) ?? (entry === null ? refusal : makeRestriction(entry, settings));
  known.set(key, found);
  return found;
}

const refusal: Restriction = {
  key: "null",
  rejections: [],
  restrict: () => ({ regular: new Map(), external: new Map() }),
};

function makeRestriction(entry: JsonObject, settings: CarSettings): Restriction {
  const rejections = conditionalRpcs.flatMap((rpc) => {
    const byRule = new Map<string, { rpc: string; levels: HmiLevel[]; condition: Condition }>();
    for (const level of hmiLevels) {
      for (const condition of conditionsOn({ rpc, level }, entry, settings)) {
        if (!condition.isRejected) continue;
        const rejection = byRule.get(condition.rule) ?? { rpc, levels: [], condition };
        rejection.levels.push(level);
        byRule.set(condition.rule, rejection);
      }
    }
    return [...byRule.values()];
  });
  const ofBuild = (permitted: Permits) => withoutRejected(permitted, rejections);
  return {
    key: JSON.stringify(
      rejections.map(({ rpc, levels, condition: { rule, message } }) => [rpc, levels, rule, message]),
    ),
    rejections,
    // The builds do not differ in these conditions.
    restrict: ({ regular, external }) => ({ regular: ofBuild(regular), external: ofBuild(external) }),
  };
}

function withoutRejected(permitted: Permits, rejections: readonly Rejection[]): Permits {
  if (!rejections.some(({ rpc }) => permitted.has(rpc))) return permitted;
  const left = new Map(permitted);
  for (const { rpc, levels } of rejections) {
    const permit = left.get(rpc);
    if (permit === undefined) continue;
    const restricted: RpcPermit = { ...permit, ...Object.fromEntries(levels.map((level) => [level, "no"])) };
    if (hmiLevels.every((level) => restricted[level] === "no")) left.delete(rpc);
    else if (hmiLevels.some((level) => restricted[level] !== permit[level])) left.set(rpc, restricted);
  }
  return left;
}

const settingsOf = oncePer((snapshot: PolicySnapshot) => ({
  staging: ofSnapshot(snapshot, "staging"),
  production: ofSnapshot(snapshot, "production"),
}));

export function carSettings(snapshot: PolicySnapshot, environment: Environment): CarSettings {
  return settingsOf(snapshot)[environment];
}

function ofSnapshot(snapshot: PolicySnapshot, environment: Environment): CarSettings {
  const [config] = snapshot.moduleConfigs[environment];
  const shown = listShownMessages(snapshot.messages[environment], () => undefined);
  const warning = shown.find(({ category }) => category === lockScreenMessage);
  return {
    limits: { Alert: config?.notificationsPerMinute ?? {}, SubtleAlert: config?.subtleNotificationsPerMinute ?? {} },
    encrypted: new Set(
      listedGroups(snapshot, environment).flatMap(({ name, encryptionRequired }) => (encryptionRequired ? name : [])),
    ),
    unwarned: listUnwarned(
      config?.lockScreenDismissalEnabled,
      warning?.languages.map(({ languageId, textBody }) => [languageId, textBody]),
    ),
  };
}

/** The settings of a served table; anything invalid in it counts as missing. */
export function readCarSettings(table: unknown): CarSettings {
  const config = memberOf(table, "module_config");
  const mapOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
  const groups = Object.entries(mapOf(memberOf(table, "functional_groupings")));
  const messages = memberOf(memberOf(table, "consumer_friendly_messages"), "messages");
  const languages = mapOf(memberOf(memberOf(messages, lockScreenMessage), "languages"));
  return {
    limits: {
      Alert: mapOf(memberOf(config, "notifications_per_minute_by_priority")),
      SubtleAlert: mapOf(memberOf(config, "subtle_notifications_per_minute_by_priority")),
    },
    encrypted: new Set(
      groups.flatMap(([name, group]) => (memberOf(group, "encryption_required") === true ? name : [])),
    ),
    unwarned: listUnwarned(
      memberOf(config, "lock_screen_dismissal_enabled"),
      Object.entries(languages).map(([language, texts]) => [language, memberOf(texts, "textBody")]),
    ),
  };
}

/** In other languages than those of the message, head units show the en-us text. */
function listUnwarned(
  isEnabled: unknown,
  texts: readonly (readonly [language: string, textBody: unknown])[] = [],
): CarSettings["unwarned"] {
  if (isEnabled !== true) return [];
  const isWarned = new Map(texts.map(([language, text]) => [language, typeof text === "string" && text !== ""]));
  return isWarned.get(mainLanguage) === true ? [...isWarned].flatMap(([language, is]) => (is ? [] : language)) : null;
}
