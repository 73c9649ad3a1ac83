/** Written only from the rules, slow on purpose; JSON text, because objects reorder names that look like numbers. */
import type {
  PolicyOptions,
  PolicySnapshot,
  RpcSpecParam,
  SnapshotApp,
  SnapshotAppVersion,
  SnapshotGroup,
  SnapshotRpc,
  VehicleDataItem,
} from "@/lib/policy/table/snapshot";
import coreWords from "@/lib/policy/vocabulary/core-words.json";
import type { Environment } from "@/lib/vocabulary/terms";

/** A JSON value whose objects are ordered lists of members. */
type Ordered = string | number | boolean | null | readonly Ordered[] | Members;
type Member = readonly [name: string, value: Ordered];
class Members {
  constructor(readonly members: readonly Member[]) {}
}

const object = (...members: readonly Member[]) => new Members(members);

function write(value: Ordered): string {
  if (value instanceof Members) {
    return `{${value.members.map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`).join(",")}}`;
  }
  return isList(value) ? `[${value.map(write).join(",")}]` : JSON.stringify(value);
}

const isList = (value: Ordered): value is readonly Ordered[] => Array.isArray(value);

/** G8. */
const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byLowerCase = (a: string, b: string) => byCodeUnit(a.toLowerCase(), b.toLowerCase()) || byCodeUnit(a, b);
const once = <T>(values: readonly T[]) => values.filter((value, index) => values.indexOf(value) === index);
const onlyIf = (condition: boolean, ...members: readonly Member[]) => (condition ? members : []);

export interface ReferenceRequest {
  /** The own members of `app_policies`, in order (R3). */
  readonly ids: readonly (readonly [id: string, sent: unknown])[];
  readonly fullAppIdSupported: boolean;
  /** R8. */
  readonly isOlder?: boolean;
}

/** G12; no text in a table can contain these members, because its quotation marks are escaped. */
function madeSafe(text: string): string {
  return text
    .replaceAll('"handled_rpcs":[]', '"handled_rpcs":[{"function_id":0}]')
    .replaceAll('"seconds_between_retries":[]', '"seconds_between_retries":[1,5,25,125,625]')
    .replaceAll("\\u0000", "?");
}

/** G1; throws if the view has no module config (G5) or the message version does not fit (C1). */
export function referenceTable(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  request: ReferenceRequest,
): string {
  return madeSafe(
    write(
      object(
        ["module_config", moduleConfig(snapshot, environment, options, request)],
        ...rpcPriorityTable(snapshot, environment, request), // M12
        ["vehicle_data", vehicleData(snapshot, environment)],
        ["functional_groupings", functionalGroupings(snapshot, environment, request)],
        ["consumer_friendly_messages", consumerMessages(snapshot, environment)],
        ["app_policies", appPolicies(snapshot, environment, request)],
      ),
    ),
  );
}

// M: module_config

function moduleConfig(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  { fullAppIdSupported, isOlder = false }: ReferenceRequest,
): Members {
  const [config] = snapshot.moduleConfigs[environment];
  if (config === undefined) throw new Error("G5: no module config in this view");
  const mapping = config.endpoints.custom_vehicle_data_mapping_url;
  const addresses: (readonly [string, string])[] = [
    ["0x07", `${options.publicBaseUrl}/api/v1/${environment}/policy`], // M3
    ["0x04", config.endpoints["0x04"]], // M4
    ["queryAppsUrl", config.endpoints.queryAppsUrl],
    ["lock_screen_icon_url", config.endpoints.lock_screen_icon_url],
  ];
  if (mapping !== "") addresses.push(["custom_vehicle_data_mapping_url", mapping]); // M5
  const properties: Member[] = []; // M6
  for (const [endpoint] of addresses) {
    const own = config.endpointProperties.filter((one) => one.endpoint === endpoint && one.value !== "");
    if (own.length === 0) continue;
    if (endpoint === "custom_vehicle_data_mapping_url" && !own.some(({ name }) => name === "version")) continue;
    properties.push([endpoint, object(...own.map(({ name, value }): Member => [name, value]))]);
  }
  const priorities = ["EMERGENCY", "NAVIGATION", "PROJECTION", "VOICECOM", "COMMUNICATION", "NORMAL", "NONE"] as const;
  const normal = config.notificationsPerMinute;
  const subtle = config.subtleNotificationsPerMinute;
  const certificate = options.certificates[environment];
  return object(
    ["full_app_id_supported", fullAppIdSupported], // M1
    ["exchange_after_x_ignition_cycles", config.exchangeAfterXIgnitionCycles], // M2
    ["exchange_after_x_kilometers", config.exchangeAfterXKilometers],
    ["exchange_after_x_days", config.exchangeAfterXDays],
    ["timeout_after_x_seconds", config.timeoutAfterXSeconds],
    ["seconds_between_retries", config.secondsBetweenRetries],
    ["lock_screen_dismissal_enabled", config.lockScreenDismissalEnabled],
    ["endpoints", object(...addresses.map(([name, url]): Member => [name, object(["default", [url]])]))],
    ["endpoint_properties", object(...properties)],
    [
      "notifications_per_minute_by_priority",
      // M7, M11
      object(
        ...priorities.filter((name) => !isOlder || name !== "PROJECTION").map((name): Member => [name, normal[name]]),
      ),
    ],
    ["subtle_notifications_per_minute_by_priority", object(...priorities.map((name): Member => [name, subtle[name]]))],
    ...(certificate === null ? [] : [["certificate", certificate] as const]), // M8, M10
  );
}

function rpcPriorityTable(snapshot: PolicySnapshot, environment: Environment, { isOlder = false }: ReferenceRequest) {
  const stored = snapshot.moduleConfigs[environment][0]?.rpcPriorityTable ?? [];
  const maps: Member[] = [];
  for (const map of ["rpc_priority", "app_priority", "hmi_status_priority"]) {
    const own = stored.filter((one) => one.map === map).map(({ name, priority }): Member => [name, priority]);
    if (own.length > 0) maps.push([map, object(...own)]);
  }
  return onlyIf(maps.length > 0 && !isOlder, ["rpc_priority_table", object(...maps)]);
}

// V: vehicle_data

function vehicleData(snapshot: PolicySnapshot, environment: Environment): Members {
  const records = snapshot.vehicleData[environment];
  const times: number[] = []; // V1
  if (snapshot.rpcSpec !== null) times.push(snapshot.rpcSpec.storedAt);
  const newest = records.toSorted((a, b) => b.id - a.id)[0];
  if (newest !== undefined) times.push(newest.savedAt);
  const items = [
    ...nativeItems(snapshot), // V3
    ...customItems(records.filter(({ isDeleted }) => !isDeleted)), // V5
  ];
  const names = items.map(({ name }) => name);
  const kept = items.filter(({ name }, index) => names.indexOf(name) === index); // V2
  return object(
    ["schema_version", times.length === 0 ? "0.000" : secondsWithMilliseconds(times.reduce((a, b) => (a > b ? a : b)))],
    ["schema_items", kept.map(({ item }) => item)],
  );
}

function secondsWithMilliseconds(time: number): string {
  const milliseconds = time % 1000;
  return `${(time - milliseconds) / 1000}.${String(milliseconds).padStart(3, "0")}`;
}

interface NamedItem {
  readonly name: string;
  readonly item: Members;
}

function nativeItems({ rpcSpec }: PolicySnapshot): NamedItem[] {
  if (rpcSpec === null) return [];
  const response = rpcSpec.functions.find((one) => one.name === "GetVehicleData" && one.messageType === "response");
  const build = (params: readonly RpcSpecParam[], open: readonly string[]): NamedItem[] =>
    params.flatMap((param) => {
      if (param.platform === "documentation") return [];
      const array = param.array === true || param.array === "true" ? true : null;
      const source: ItemSource = { ...param, key: param.name, array };
      const struct = rpcSpec.structs.find(({ name }) => name === param.type);
      if (struct === undefined) return [{ name: param.name, item: vehicleItem(source, true, null) }];
      if (open.includes(struct.name)) return []; // V4: already open on the path
      const inner = build(struct.params, [...open, struct.name]);
      if (inner.length === 0) return []; // V4: yields no parameters
      const item = vehicleItem({ ...source, type: "Struct" }, true, inner);
      return [{ name: param.name, item }];
    });
  return build(response?.params ?? [], []);
}

function customItems(nodes: readonly VehicleDataItem[]): NamedItem[] {
  return nodes
    .toSorted((a, b) => byLowerCase(a.name, b.name))
    .flatMap((node) => {
      if (isRefusedName(node.name) || isRefusedName(node.key)) return [];
      const source: ItemSource = {
        ...{ name: node.name, type: node.type, key: node.key, since: node.since, until: node.until },
        ...{ deprecated: node.deprecated, removed: node.removed, mandatory: node.mandatory, array: node.array },
        ...{ minlength: node.minLength, maxlength: node.maxLength, minsize: node.minSize, maxsize: node.maxSize },
        ...{ minvalue: node.minValue, maxvalue: node.maxValue },
      };
      if (node.type !== "Struct") return [{ name: node.name, item: vehicleItem(source, false, null) }];
      const inner = customItems(node.params);
      return inner.length === 0 ? [] : [{ name: node.name, item: vehicleItem(source, false, inner) }];
    });
}

function isRefusedName(text: string): boolean {
  const signs = [" ", "\t", "\n", "\v", "\f", "\r", "!", "@", "#", "$", "%", "^", "&", "*"];
  return text === "" || new TextEncoder().encode(text).length > 255 || signs.some((sign) => text.includes(sign));
}

/** Values of V6 before the rule is applied. */
type ItemSource = Readonly<Record<string, string | number | boolean | null | undefined>>;

function vehicleItem(source: ItemSource, mandatoryByDefault: boolean, params: readonly NamedItem[] | null): Members {
  const absent = (name: string) => source[name] === null || source[name] === undefined || source[name] === "";
  const isTrue = (name: string) => source[name] === true || source[name] === "true";
  const text = (name: string) => onlyIf(!absent(name), [name, String(source[name])]);
  const flag = (name: string) => onlyIf(!absent(name), [name, isTrue(name)]);
  const limit = (name: string) => onlyIf(!absent(name), [name, Number(source[name])]);
  return object(
    ...text("name"),
    ...text("type"),
    ...text("since"),
    ...text("until"),
    ...flag("deprecated"),
    ...flag("removed"),
    ...text("key"),
    ["mandatory", absent("mandatory") ? mandatoryByDefault : isTrue("mandatory")],
    ...limit("minlength"),
    ...limit("maxlength"),
    ...limit("minsize"),
    ...limit("maxsize"),
    ...limit("minvalue"),
    ...limit("maxvalue"),
    ...flag("array"),
    ...(params === null ? [] : [["params", params.map(({ item }) => item)] as const]),
  );
}

// F: functional_groupings

/** F1, F3. */
function groupsOf(snapshot: PolicySnapshot, environment: Environment): SnapshotGroup[] {
  const isThere = (prompt: string) =>
    snapshot.messages[environment].some(({ category, isDeleted }) => category === prompt && !isDeleted);
  return snapshot.groups[environment]
    .filter(({ isDeleted }) => !isDeleted)
    .filter(({ userConsentPrompt }) => userConsentPrompt === null || isThere(userConsentPrompt))
    .sort((a, b) => byLowerCase(a.name, b.name));
}

function functionalGroupings(
  snapshot: PolicySnapshot,
  environment: Environment,
  { isOlder = false }: ReferenceRequest,
): Members {
  return object(
    ...groupsOf(snapshot, environment).map((group): Member => {
      const prompt = group.userConsentPrompt;
      const rpcs = group.rpcs
        .filter(({ levels }) => levels.length > 0)
        .sort((a, b) => byCodeUnit(a.name, b.name))
        .flatMap((rpc) => groupRpc(snapshot, group, rpc, isOlder));
      return [
        group.name,
        object(
          ["encryption_required", group.encryptionRequired], // F2
          ...onlyIf(prompt !== null, ["user_consent_prompt", prompt]),
          ["rpcs", rpcs.length === 0 ? null : object(...rpcs)], // F4
        ),
      ];
    }),
  );
}

const { external, regular } = coreWords["4.5.3"];

function groupRpc(snapshot: PolicySnapshot, group: SnapshotGroup, rpc: SnapshotRpc, isOlder: boolean): Member[] {
  const levels = (["BACKGROUND", "FULL", "LIMITED", "NONE"] as const).filter((level) => rpc.levels.includes(level)); // F6
  const restricts = snapshot.permissions.some(
    ({ type, parents }) => type === "PARAMETER" && parents.includes(rpc.name), // F7
  );
  const usable = rpc.parameters
    .filter((parameter) => isUsable(snapshot, group, rpc.name, parameter))
    .filter((name) => !isOlder || (external.parameters.includes(name) && regular.parameters.includes(name))); // F8
  if (isOlder && restricts && usable.length === 0) return [];
  return [
    [rpc.name, object(["hmi_levels", levels], ...onlyIf(restricts, ["parameters", once(usable).sort(byCodeUnit)]))],
  ];
}

/** F5. */
function isUsable(snapshot: PolicySnapshot, group: SnapshotGroup, rpc: string, parameter: string): boolean {
  const { rpcSpec, vehicleData: custom } = snapshot;
  if (rpcSpec === null) return true; // (d)
  const specified = rpcSpec.functions.some(
    ({ name, messageType, params }) =>
      name === rpc &&
      (messageType === "response" ||
        messageType === "notification" ||
        (messageType === "request" && /^(Uns|S)ubscribeVehicleData$/.test(name))) &&
      params.some((param) => param.name === parameter),
  );
  if (specified) return true; // (a)
  if (custom.production.some(({ name, isDeleted }) => name === parameter && !isDeleted)) return true; // (b)
  return (
    group.status === "STAGING" && custom.staging.some(({ name, isDeleted }) => name === parameter && !isDeleted) // (c)
  );
}

// C: consumer_friendly_messages

function consumerMessages(snapshot: PolicySnapshot, environment: Environment): Members {
  const view = snapshot.messages[environment];
  const greatest = [0, ...view.map(({ id }) => id)].reduce((a, b) => (a > b ? a : b));
  if (greatest > 999_999_999) throw new Error("C1: the version does not fit");
  const digits = `000000000${greatest}`.slice(-9);
  const shown = view
    .filter(({ isDeleted, languages }) => !isDeleted && languages.some(({ languageId }) => languageId === "en-us")) // C3
    .sort((a, b) => byCodeUnit(a.category, b.category));
  return object(
    ["version", `${digits.slice(0, 3)}.${digits.slice(3, 6)}.${digits.slice(6, 9)}`], // C1
    [
      "messages",
      object(
        ...shown.map(({ category, languages }): Member => {
          const isBlank = (one: (typeof languages)[number]) =>
            !one.tts && !one.line1 && !one.line2 && !one.textBody && !one.label;
          const sorted = languages
            .filter((one) => one.languageId === "en-us" || !isBlank(one))
            .sort((a, b) => byCodeUnit(a.languageId, b.languageId)); // C4
          const members = sorted.map((one): Member => [
            one.languageId,
            object(
              ...(["tts", "line1", "line2", "textBody", "label"] as const).flatMap(
                (field) => onlyIf(one[field] !== null && one[field] !== "", [field, one[field]]), // C5
              ),
            ),
          ]);
          return [category, object(["languages", object(...members)])];
        }),
      ),
    ],
  );
}

// A: app_policies

function appPolicies(snapshot: PolicySnapshot, environment: Environment, request: ReferenceRequest): Members {
  const fixed = ["default", "device", "pre_DataConsent"];
  const groups = groupsOf(snapshot, environment);
  const entry = (members: readonly SnapshotGroup[]) =>
    object(
      ["keep_context", false],
      ["steal_focus", false],
      ["priority", "NONE"],
      ["default_hmi", "NONE"],
      ["groups", members.map(({ name }) => name)],
      ["RequestType", []],
      ["RequestSubType", []],
    );
  return object(
    ...request.ids
      .filter(([id]) => !fixed.includes(id)) // A1
      .filter(([id]) => !/\p{Surrogate}/u.test(id)) // R3
      .slice(0, 998)
      .map(([id, sent]): Member => [id, requestedEntry(snapshot, environment, request, id, sent)]),
    ["default", entry(groups.filter(({ isDefault }) => isDefault))], // A29
    ["device", entry(groups.filter(({ isDevice }) => isDevice))],
    ["pre_DataConsent", entry(groups.filter(({ isPreDataConsent }) => isPreDataConsent))],
  );
}

function requestedEntry(
  snapshot: PolicySnapshot,
  environment: Environment,
  { fullAppIdSupported, isOlder = false }: ReferenceRequest,
  id: string,
  sent: unknown,
): Ordered {
  const sought = id.toLowerCase(); // A2
  const named = fullAppIdSupported ? snapshot.apps.byUuid(sought) : undefined;
  const candidates: SnapshotApp[] = named === undefined ? [...snapshot.apps.byShortId(sought)] : [named];
  if (candidates.some(({ isBlacklisted }) => isBlacklisted)) return null; // A3
  const newestWith = (app: SnapshotApp) =>
    app.shortIds
      .filter(({ shortId }) => shortId.toLowerCase() === sought)
      .map(({ newestRecordId }) => newestRecordId)
      .reduce((a, b) => (a > b ? a : b), -1);
  const [app] = candidates.sort((a, b) => newestWith(b) - newestWith(a));
  const version = environment === "production" ? app?.accepted : app?.staged; // A4
  if (app === undefined || version === null || version === undefined) return "default"; // A5
  return grantedEntry(snapshot, environment, app, isOlder ? olderVersion(version) : version, sent);
}

/** A31: only the HMI types of 2018. */
function olderVersion(version: SnapshotAppVersion): SnapshotAppVersion {
  const known = [
    ...["DEFAULT", "COMMUNICATION", "MEDIA", "MESSAGING", "NAVIGATION", "INFORMATION", "SOCIAL", "BACKGROUND_PROCESS"],
    ...["TESTING", "SYSTEM", "PROJECTION", "REMOTE_CONTROL"],
  ];
  return { ...version, categories: version.categories.filter(({ name }) => name !== null && known.includes(name)) };
}

function grantedEntry(
  snapshot: PolicySnapshot,
  environment: Environment,
  app: SnapshotApp,
  version: SnapshotAppVersion,
  sent: unknown,
): Members {
  const typeOf = (key: string) => snapshot.permissions.find(({ name }) => name === key)?.type;
  const modules = version.permissions.map(({ key }) => key).filter((key) => typeOf(key) === "MODULE");
  const hmiTypes = version.categories
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ name }) => (name === null || name === "" ? [] : [name]));
  const text = (name: string, value: string | null) => onlyIf(value !== null && value !== "", [name, value]);
  return object(
    ["AppHMIType", hmiTypes], // A6
    ["nicknames", version.displayNames.filter((name) => name !== "")],
    ["keep_context", true],
    ["steal_focus", version.canStealFocus],
    ["priority", app.priority ?? "NONE"],
    ["default_hmi", version.defaultHmiLevel.replace("HMI_", "")],
    ["groups", grantedGroups(snapshot, environment, app, version)],
    ...onlyIf(modules.length > 0, ["moduleType", once(modules).sort(byCodeUnit)]),
    ["RequestType", []],
    ["RequestSubType", []],
    ["app_services", appServices(snapshot, version)], // A7
    ["allow_unknown_rpc_passthrough", app.allowUnknownRpcPassthrough], // A8
    ["encryption_required", version.encryptionRequired], // A9
    ...text("icon_url", version.iconUrl), // A10
    ...text("endpoint", version.cloudEndpoint),
    ...text("cloud_transport_type", version.cloudTransportType),
    ...text("certificate", version.caCertificate),
    ...text("hybrid_app_preference", app.hybridAppPreference), // A11
    ...echoed(sent), // A12
  );
}

/** A12. */
function echoed(sent: unknown): Member[] {
  if (typeof sent !== "object" || sent === null) return [];
  const own = new Map<string, unknown>(Object.entries(sent));
  const enabled = own.get("enabled");
  const token = own.get("auth_token");
  const members: Member[] = [];
  if (typeof enabled === "boolean") members.push(["enabled", enabled]);
  if (typeof token === "string" && new TextEncoder().encode(token).length <= 65_535)
    members.push(["auth_token", token]);
  return members;
}

/** A7. */
function appServices(snapshot: PolicySnapshot, version: SnapshotAppVersion): Members {
  return object(
    ...version.services
      .toSorted((a, b) => byCodeUnit(a.name, b.name))
      .map(({ name, serviceNames, selectedPermissions }): Member => {
        const handled = once(selectedPermissions)
          .sort(byCodeUnit)
          .flatMap((selected) => {
            const functionId = snapshot.permissions.find((one) => one.name === selected)?.functionId ?? null;
            return functionId === null ? [] : [object(["function_id", functionId])];
          });
        return [name, object(["service_names", serviceNames.toSorted(byCodeUnit)], ["handled_rpcs", handled])];
      }),
  );
}

/** A13 to A28. */
function grantedGroups(
  snapshot: PolicySnapshot,
  environment: Environment,
  app: SnapshotApp,
  version: SnapshotAppVersion,
): string[] {
  const pairs = version.permissions.flatMap(({ key, hmiLevel }) =>
    hmiLevel === null ? [] : [{ key, level: hmiLevel.replace("HMI_", "") }],
  );
  const has = ({ levels }: SnapshotRpc, level: string) => levels.some((one) => one === level);
  const isModule = (key: string) => snapshot.permissions.some(({ name, type }) => name === key && type === "MODULE");
  const isParent = (rpc: string, key: string) =>
    snapshot.permissions.some(({ name, parents }) => name === key && parents.includes(rpc));
  const granted = groupsOf(snapshot, environment).filter((group) => {
    const plain =
      !group.isProprietaryGroup && !group.isWidgetGroup && !group.isAppProviderGroup && !group.isAdministratorGroup;
    const rules = [
      group.isDefault, // A13
      plain && pairs.some(({ key, level }) => group.rpcs.some((rpc) => rpc.name === key && has(rpc, level))), // A14
      plain &&
        pairs.some(({ key, level }) => group.rpcs.some((rpc) => rpc.parameters.includes(key) && has(rpc, level))), // A15
      plain &&
        pairs.some(
          ({ key, level }) => isModule(key) && group.rpcs.some((rpc) => has(rpc, level) && isParent(rpc.name, key)), // A16
        ),
      group.isAppProviderGroup && version.services.length > 0, // A17
      group.isAdministratorGroup && app.isAdministratorApp, // A18
      group.isProprietaryGroup && version.groupGrants.includes(group.name), // A19
      plain && version.canBackgroundAlert && group.rpcs.some((rpc) => rpc.name === "Alert" && has(rpc, "BACKGROUND")), // A20
      group.isWidgetGroup && version.canManageWidgets, // A21
    ];
    return rules.includes(true);
  });
  return once(granted.map(({ name }) => name)).sort(byLowerCase); // A22
}
