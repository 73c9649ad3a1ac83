import { isObject } from "@/lib/policy/head-unit/values";
import { appHmiTypes, levels, moduleTypes, priorities, requestTypes } from "@/lib/policy/head-unit/words";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/vocabulary/head-units";

/**
 * What a head unit takes a member without a value for: `every` value is allowed; `none` is, a switch is off, a limit is
 * 0; the `highest` rank; the list `of default`; what the functional groups decide (`of groups`); what the car has
 * (`kept`); nothing, because this build doesn't read the member (`ignored`); or a reason to refuse the update
 * (`refused`). Any other text: a value like others, with this effect.
 */
type Reading = "every" | "none" | "highest" | "of default" | "of groups" | "kept" | "ignored" | "refused" | Other;
type Other = `value: ${string}`;
type Readings = Reading | ByBuild<Reading>;

export interface ListRight {
  readonly kind: "list";
  /** Values that head units know. Undefined: any text. */
  readonly known?: ReadonlySet<unknown>;
  /** Values that give a permission, and those that "every" gives. Undefined: each one does. */
  readonly gives?: { readonly listed: ReadonlySet<string>; readonly every: readonly string[] };
  /** The list says who may use the entry. */
  readonly isIdentity?: true;
  readonly ignoresCase?: true;
}

type Right =
  | { readonly kind: "flag" | "groups" | "services" | "encryption" | "limits" }
  /** From the lowest to the highest; anything else counts as the highest. */
  | { readonly kind: "rank"; readonly ranks: readonly string[] }
  | ListRight;

/** A row of `head-unit-rules.md` 17. */
export interface Meaning {
  readonly absent: Readings;
  /** `[]`, `{}`, `""`, `false` or 0. */
  readonly empty: Readings;
  readonly null: Readings;
  /** Null: a change of it is a change, but gives an app no more and no less. */
  readonly right: Right | null;
}

const meaning = (absent: Readings, empty: Readings, ofNull: Readings, right: Right | null = null): Meaning => ({
  ...{ absent, empty, null: ofNull, right },
});
const builds = (regular: Reading, external: Reading): ByBuild<Reading> => ({ regular, external });
const needed = builds("ignored", "refused");
const highestExternally = builds("ignored", "highest");
const flag: Right = { kind: "flag" };
const rank = (highestFirst: ReadonlySet<unknown>): Right => ({
  ...{ kind: "rank", ranks: [...highestFirst].map(String).toReversed() },
});

/** Types that open functions of SDL Core. WEB_VIEW must be listed; for an empty list, apps bring the others. */
const openingTypes = ["REMOTE_CONTROL", "NAVIGATION", "PROJECTION", "COMMUNICATION"];
const hmiTypeRight: Right = {
  ...{ kind: "list", known: appHmiTypes, isIdentity: true },
  gives: { listed: new Set([...openingTypes, "WEB_VIEW"]), every: openingTypes },
};

/** Members of an app's entry. Head units ignore all others. */
export const entryMembers = {
  AppHMIType: meaning("every", "value: every one, REMOTE_CONTROL after a restart", "refused", hmiTypeRight),
  nicknames: meaning("every", "every", "refused", { kind: "list", isIdentity: true, ignoresCase: true }),
  keep_context: meaning(needed, builds("ignored", "none"), needed, flag),
  steal_focus: meaning(needed, builds("ignored", "none"), needed, flag),
  priority: meaning("highest", "highest", "highest", rank(priorities)),
  default_hmi: meaning(highestExternally, highestExternally, highestExternally, rank(levels)),
  groups: meaning("refused", builds("none", "refused"), "refused", { kind: "groups" }),
  preconsented_groups: meaning(builds("ignored", "none"), builds("ignored", "none"), needed, { kind: "groups" }),
  moduleType: meaning("none", "every", "refused", { kind: "list", known: moduleTypes }),
  RequestType: meaning("of default", "every", builds("of default", "every"), { kind: "list", known: requestTypes }),
  RequestSubType: meaning("of default", "every", "every", { kind: "list" }),
  app_services: meaning("none", "none", "refused", { kind: "services" }),
  allow_unknown_rpc_passthrough: meaning("none", "none", "refused", flag),
  encryption_required: meaning("of groups", "none", "refused", { kind: "encryption" }),
  enabled: meaning("none", "none", "refused"),
  hybrid_app_preference: meaning("none", "refused", "refused"),
  auth_token: meaning("none", "none", "refused"),
  endpoint: meaning("none", "value: a cloud app without an address", "refused"),
  cloud_transport_type: meaning("none", "none", "refused"),
  icon_url: meaning("none", "none", "refused"),
  certificate: meaning("none", "none", "refused"),
  heart_beat_timeout_ms: meaning("none", "none", "refused"),
} satisfies Readonly<Record<string, Meaning>>;

export const serviceMembers = {
  service_names: meaning("every", "none", "refused", { kind: "list" }),
  handled_rpcs: meaning("refused", "none", "refused", { kind: "list" }),
} satisfies Readonly<Record<string, Meaning>>;

const limits: Right = { kind: "limits" };

export const configMembers = {
  exchange_after_x_ignition_cycles: meaning("refused", "value: always due", "refused"),
  exchange_after_x_kilometers: meaning("refused", "value: always due", "refused"),
  exchange_after_x_days: meaning("refused", "value: always due", "refused"),
  timeout_after_x_seconds: meaning("refused", "value: no time for an answer", "refused"),
  seconds_between_retries: meaning("refused", "none", "refused"),
  endpoints: meaning("refused", "refused", "refused"),
  endpoint_properties: meaning("none", "none", "refused"),
  notifications_per_minute_by_priority: meaning("refused", "none", "refused", limits),
  subtle_notifications_per_minute_by_priority: meaning("kept", "none", "refused", limits),
  certificate: meaning("kept", "none", "refused"),
  vehicle_make: meaning("kept", builds("refused", "none"), "refused"),
  vehicle_model: meaning("kept", builds("refused", "none"), "refused"),
  vehicle_year: meaning("kept", builds("refused", "none"), "refused"),
  lock_screen_dismissal_enabled: meaning("none", "value: phones may not dismiss it", "refused"),
  full_app_id_supported: meaning("ignored", "ignored", "refused"),
  preloaded_pt: meaning("none", needed, needed),
  preloaded_date: meaning("none", needed, needed),
} satisfies Readonly<Record<string, Meaning>>;

const limit = meaning("none", "none", "refused");

/** By the path from the section on. Null: not a member of an entry or of the module config. */
export function meaningAt([section, name = "", member = "", ...rest]: readonly string[]): Meaning | null {
  const own = (table: Readonly<Record<string, Meaning>>, of: string) =>
    Object.hasOwn(table, of) ? (table[of] ?? null) : null;
  if (section === "module_config") {
    if (member === "") return own(configMembers, name);
    return rest.length === 0 && own(configMembers, name)?.right?.kind === "limits" ? limit : null;
  }
  if (section !== "app_policies" || member === "") return null;
  if (rest.length === 0) return own(entryMembers, member);
  return member === "app_services" && rest.length === 2 ? own(serviceMembers, rest[1] ?? "") : null;
}

/** How a build reads a value; null: as the value that it is. */
export function readValue({ absent, empty, null: ofNull }: Meaning, value: unknown, build: CarBuild): Reading | null {
  const of = (readings: Readings) => (typeof readings === "string" ? readings : readings[build]);
  if (value === undefined) return of(absent);
  if (value === null) return of(ofNull);
  return isEmpty(value) ? of(empty) : null;
}

/** Whether no build tells these two apart. What every car refuses counts as absent. */
export function isSameReading(row: Meaning, one: unknown, other: unknown): boolean {
  return carBuilds.every((build) => {
    const [first, second] = [one, other].map((value) => {
      const read = readValue(row, value, build);
      return value === null && read === "refused" ? readValue(row, undefined, build) : read;
    });
    return first !== null && first === second;
  });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === "" || value === false || value === 0;
}

/** What a build takes a list without a value for, e.g. `every module is allowed`; `element` names one element. */
export function describeList(row: Meaning, value: unknown, build: CarBuild, element: string): string {
  const read = readValue(row, value, build);
  if (read === "every" || read === "none") return `${read === "none" ? "no" : read} ${element} is allowed`;
  return read === "of default" ? "the list of the default app counts" : String(read);
}
