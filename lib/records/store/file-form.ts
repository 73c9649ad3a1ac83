import { z } from "zod";
import type { CsvValue } from "@/lib/platform/http/csv";
import type { VersionedRecord } from "@/lib/records/store/views";
import { byCodeUnit } from "@/lib/vocabulary/order";

/** How files contain the records of a family (`exchange.md` X1). Needs no database: the command line uses it. */
export interface FileForm<I extends object> {
  readonly member: string;
  /** The folder with one file per item, or the file if the family has one record. */
  readonly place: string;
  readonly isSingle?: boolean;
  readonly schema: z.ZodType<I>;
  keyOf(item: I): string;
  itemOf(body: object): unknown;
  bodyOf(item: I): object;
}

export interface ExportForm<R> {
  /** File name before environment and date, e.g. `functional-groups`. */
  readonly name: string;
  readonly member: string;
  readonly toBody: (record: R) => object | null;
  readonly columns: readonly string[];
  readonly lines: (record: R) => readonly (readonly CsvValue[])[];
}

export function describeState({ status, isDeleted }: Pick<VersionedRecord, "status" | "isDeleted">): string {
  return isDeleted ? "deletion pending" : status.toLowerCase();
}

/** Reports unknown members, so that typos in files are not ignored. */
export const knownMembers = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys" ? `has the unknown member ${issue.keys.join(", ")}` : undefined,
};
export const strict = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, knownMembers);
export const filledName = z.string().min(1);
export const itemName = z.string().trim().min(1);

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists of these are sets or lists of named things, so their order is irrelevant. */
const nameOf = (value: unknown): string => {
  if (!isMembers(value)) return String(value);
  const { endpoint = "", name = "", uuid = "", message_category: category = "" } = value;
  return [endpoint, name, uuid, category].map(String).join("\0");
};
const ordered: ReadonlySet<string> = new Set(["seconds_between_retries", "versions"]);

/** A value as files contain it: members, sets and named things in order; no null, false or empty values. */
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

export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);
