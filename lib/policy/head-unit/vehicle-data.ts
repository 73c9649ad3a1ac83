import type { Spot } from "@/lib/policy/head-unit/finding";
import {
  boolean,
  greatestInteger,
  integer,
  isObject,
  list,
  optional,
  quoted,
  required,
  text,
  type Check,
  type JsonObject,
} from "@/lib/policy/head-unit/values";

/** The check of the whole table reports deeper structs, with the same limit. */
export const deepestNesting = 100;

const rule = (row: string) => `8 vehicle_data: ${row}`;
const limits = ["minsize", "maxsize", "minlength", "maxlength"];

/** Names of the vehicle data items of an update; `parameters` may contain only these and those of the mobile API. */
export function itemNames(value: unknown): ReadonlySet<string> {
  const items: unknown = isObject(value) ? value["schema_items"] : null;
  if (!Array.isArray(items)) return new Set();
  return new Set(
    items.flatMap((item: unknown) => (isObject(item) && typeof item["name"] === "string" ? item["name"] : [])),
  );
}

export function checkVehicleDataSection(value: unknown, spot: Spot): void {
  if (!isObject(value)) {
    spot.warn(`takes ${quoted(value)} as leave to clear all custom vehicle data`);
    return;
  }
  const both = spot.under(rule("schema_version and schema_items"));
  if (Object.hasOwn(value, "schema_version") !== Object.hasOwn(value, "schema_items")) {
    both.refuse("schema_version and schema_items must be there both or neither");
  }
  optional(value, "schema_version", spot.at("schema_version", rule("schema_version")), (version, here) => {
    text({ min: 0, max: 100 })(version, here);
    if (version === "") here.under("C9 schema_version").strand("the version is empty");
  });
  optional(value, "schema_items", spot.at("schema_items", rule("schema_items")), items(0, 1));
}

const items = (min: number, depth: number): Check =>
  list({ min, max: 255 }, (value, spot) => checkItem(value, spot, depth));

function checkItem(item: unknown, spot: Spot, depth: number): void {
  if (!isObject(item)) {
    spot.under(rule("item that is not an object")).refuse("its process ends, because the item is not an object");
    return;
  }
  for (const name of ["name", "key"]) required(item, name, spot.at(name, rule("name, key")), nameOrKey);
  required(item, "type", spot.at("type", rule("type")), text({ min: 0, max: 255 }));
  required(item, "mandatory", spot.at("mandatory", rule("mandatory")), boolean);
  checkParams(item, spot.at("params", rule("params")), depth);
  for (const name of ["minvalue", "maxvalue"]) optional(item, name, spot.at(name, rule("minvalue, maxvalue")), value);
  for (const name of limits) {
    const here = spot.at(name, rule("minsize, maxsize, minlength, maxlength"));
    optional(item, name, here, integer({ min: 0, max: greatestInteger }));
  }
  for (const name of ["array", "removed", "deprecated"]) {
    optional(item, name, spot.at(name, rule("array, removed, deprecated")), boolean);
  }
  for (const name of ["since", "until"]) {
    optional(item, name, spot.at(name, rule("since, until")), text({ min: 0, max: 255 }));
  }
  checkDefaultValue(item, spot.at("defvalue", rule("defvalue")));
}

const nameOrKey: Check = (found, spot) => {
  text({ min: 1, max: 255 })(found, spot);
  if (typeof found === "string" && Buffer.byteLength(found) <= 255 && /[\t\n\v\f\r !@#$%^&*]/.test(found)) {
    spot.refuse(`${quoted(found)} holds a blank or one of !@#$%^&*`);
  }
};

const value: Check = (found, spot) => {
  if (typeof found === "number" && Math.abs(found) <= greatestInteger) return;
  spot.refuse(`the value must be a number from -${greatestInteger} to ${greatestInteger}, not ${quoted(found)}`);
};

function checkParams(item: JsonObject, spot: Spot, depth: number): void {
  const present = Object.hasOwn(item, "params");
  const params = item["params"];
  if (item["type"] === "Struct") {
    if (!present) spot.refuse("a Struct needs params");
    else if (depth < deepestNesting) items(1, depth + 1)(params, spot);
  } else if (present && Array.isArray(params) && params.length === 0) {
    spot.warn("wants no params for a type that is not Struct, not even an empty list");
  } else if (present) spot.refuse("only a Struct may have params");
}

/** Head units read `defvalue` as text (section 8), so `5` equals `"5"`, and null is an empty text. */
function checkDefaultValue(item: JsonObject, spot: Spot): void {
  if (!Object.hasOwn(item, "defvalue")) return;
  const value = item["defvalue"];
  if (typeof value === "object" && value !== null) {
    spot.refuse("its process ends, because the default value is a list or an object");
    return;
  }
  const written = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  const why = whyUnfit(item, written);
  if (why !== null) spot.refuse(`the default value ${quoted(value)} ${why}`);
}

function whyUnfit(item: JsonObject, written: string): string | null {
  switch (item["type"]) {
    case "Integer":
      return /^-?\d+$/.test(written)
        ? whyOutside(Number(written), item["minvalue"], item["maxvalue"])
        : "is no integer";
    case "Float":
      return /^-?\d+(\.\d*)?$/.test(written)
        ? whyOutside(Number(written), item["minvalue"], item["maxvalue"])
        : "is no plain number";
    case "Boolean":
      return written === "true" || written === "false" ? null : "is neither true nor false";
    case "String":
      return whyOutside(Buffer.byteLength(written), item["minsize"], item["maxsize"]);
    case "Struct":
      return "stands at a Struct, which may have none";
    default:
      return null;
  }
}

function whyOutside(size: number, min: unknown, max: unknown): string | null {
  if (typeof min === "number" && size < min) return `is below ${min}`;
  return typeof max === "number" && size > max ? `is above ${max}` : null;
}
