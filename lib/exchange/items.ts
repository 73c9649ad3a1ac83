/** Items of a document (`exchange.md` X1) and the bodies that the routes of their families take: the one follows from the other. */
import type { z } from "zod";
import type { GroupItem, MessageItem, moduleConfigItem, VehicleDataItem } from "@/lib/exchange/schema";
import { byCodeUnit } from "@/lib/labels/order";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists of these are sets, or of things with names: their order says nothing. */
const nameOf = (value: unknown): string => {
  if (!isMembers(value)) return String(value);
  const { endpoint = "", name = "", uuid = "", message_category: category = "" } = value;
  return [endpoint, name, uuid, category].map(String).join("\0");
};
/** The order of these lists counts. */
const ordered: ReadonlySet<string> = new Set(["seconds_between_retries", "versions"]);

/**
 * A value in the one form in which it is written: members by name, sets and lists of named things by name, without what is
 * null, false or empty.
 */
export function canonical(value: unknown, member = ""): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonical(element));
    return ordered.has(member) ? elements : elements.toSorted((a, b) => byCodeUnit(nameOf(a), nameOf(b)));
  }
  if (!isMembers(value)) return value;
  const members = Object.keys(value)
    .toSorted(byCodeUnit)
    .map((name) => [name, canonical(value[name], name)] as const)
    .filter(([name, one]) => !isDefault(name, one));
  return Object.fromEntries(members);
}

/** Members that an item always has. */
const always: ReadonlySet<string> = new Set([
  ...["rpcs", "languages", "hmi_levels", "seconds_between_retries", "endpoints", "permissions", "versions", "version"],
  ...["custom_vehicle_data_mapping_url", "value", "description"],
]);

function isDefault(name: string, value: unknown): boolean {
  if (name === "version") return false;
  if (value === null || value === undefined || value === false) return true;
  if (always.has(name)) return false;
  if (name.length === 5 && name[2] === "-") return false;
  return (
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isMembers(value) && Object.keys(value).length === 0)
  );
}

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** The item of a body of `POST groups`. */
export function groupItemOf(body: object): unknown {
  const { is_deleted: _, rpcs, ...rest } = membersOf(body);
  return canonical({
    ...rest,
    rpcs: listOf(rpcs).map(({ name, hmi_levels, parameters }) => ({
      name,
      hmi_levels: listOf(hmi_levels).map(({ value }) => value),
      parameters: listOf(parameters).map(({ key }) => key),
    })),
  });
}

/** The body that stores an item. */
export function groupBodyOf({ rpcs, ...rest }: GroupItem) {
  const selected = true;
  return {
    ...rest,
    is_default: rest.is_default ?? false,
    rpcs: rpcs.map(({ name, hmi_levels, parameters = [] }) => ({
      name,
      selected,
      hmi_levels: hmi_levels.map((value) => ({ value, selected })),
      parameters: parameters.map((key) => ({ key, selected })),
    })),
  };
}

/** The item of an element of a body of `POST messages`. */
export function messageItemOf(body: object): unknown {
  const { message_category, languages } = membersOf(body);
  const byLanguage = listOf(languages).map(({ language_id, selected: _, ...texts }) => [String(language_id), texts]);
  return canonical({ message_category, languages: Object.fromEntries(byLanguage) as unknown });
}

export function messageBodyOf({ message_category, languages }: MessageItem) {
  const list = Object.entries(languages).map(([language_id, texts]) => ({ language_id, selected: true, ...texts }));
  return { messages: [{ message_category, is_deleted: false, languages: list }] };
}

/** The item of a body of `POST vehicle-data`. */
export function vehicleDataItemOf(body: object): unknown {
  const { is_deleted: _, ...tree } = membersOf(body);
  return canonical(tree);
}

export const vehicleDataBodyOf = (item: VehicleDataItem) => ({ ...item, is_deleted: false });

/** The item of a module config; what is secret is not in its body, and the end of the certificate belongs to that. */
export function moduleConfigItemOf(body: object): unknown {
  const { expiration_ts: _end, keep_certificate: _keep, endpoint_properties: properties, ...rest } = membersOf(body);
  const list = Object.entries(membersOf(properties)).flatMap(([endpoint, own]) =>
    Object.entries(membersOf(own)).map(([name, value]) => ({ endpoint, name, value })),
  );
  return canonical({ ...rest, endpoint_properties: list });
}

export function moduleConfigBodyOf({ endpoint_properties: list = [], ...rest }: z.output<typeof moduleConfigItem>) {
  const own = (endpoint: string) => list.filter((one) => one.endpoint === endpoint);
  const properties = [...new Set(list.map(({ endpoint }) => endpoint))].map((endpoint) => [
    endpoint,
    Object.fromEntries(own(endpoint).map(({ name, value }) => [name, value])),
  ]);
  return { ...rest, endpoint_properties: Object.fromEntries(properties) as unknown, keep_certificate: true };
}
