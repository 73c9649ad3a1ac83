/** The form that records have in files: in exports, imports and configuration kept as files (`exchange.md` X1). */
import { z } from "zod";
import type { CsvValue } from "@/lib/platform/http/csv";
import type { VersionedRecord } from "@/lib/content/records/views";
import { byCodeUnit } from "@/lib/labels/order";

/** How the records of a family are written in files; without a database, so that the command line can use it. */
export interface FileForm<I extends object> {
  readonly member: string;
  /** The folder with a file for each; of a family with one record its file. */
  readonly place: string;
  /** There is one, which is the member itself. */
  readonly isSingle?: boolean;
  readonly schema: z.ZodType<I>;
  keyOf(item: I): string;
  /** The item of a body that the family's route takes, in its canonical form. */
  itemOf(body: object): unknown;
  bodyOf(item: I): object;
}

/** The files that the list of a family can be saved as (`GET ui/…/export`). */
export interface ExportForm<R> {
  /** Of the file, before environment and date, e.g. `functional-groups`. */
  readonly name: string;
  readonly member: string;
  /** A record as its save takes it; null: it is damaged, and left out. */
  readonly toBody: (record: R) => object | null;
  readonly columns: readonly string[];
  readonly lines: (record: R) => readonly (readonly CsvValue[])[];
}

/** The state of a record in a table. */
export function describeState({ status, isDeleted }: Pick<VersionedRecord, "status" | "isDeleted">): string {
  return isDeleted ? "deletion pending" : status.toLowerCase();
}

/** Says which member is none of its own: what is misspelt in a file must not be passed over. */
export const knownMembers = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys" ? `has the unknown member ${issue.keys.join(", ")}` : undefined,
};
/** An object without any other members. */
export const strict = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, knownMembers);
export const filledName = z.string().min(1);

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

/** A value as files write it: members, sets and lists of named things by name; no null, false or empty ones. */
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

/** The members of a value that is an object; else none. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
/** The elements of a list as objects; none of what is no list. */
export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);
