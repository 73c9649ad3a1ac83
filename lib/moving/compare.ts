/** What differs between the answers of two servers (`exchange.md` X8). */
import type { Loss } from "@/lib/moving/tables";
import type { FieldChangeJson } from "@/lib/releases/answer-schema";
import { listFieldChanges } from "@/lib/releases/fields";
import { byCodeUnit } from "@/lib/words/order";

/** A difference between two tables: before is what the other server answers. */
export interface Difference extends FieldChangeJson {
  /** Why it is there; null: nobody knows, and that is an error. */
  readonly reason: string | null;
}

/** Members that differ whatever was carried over. */
const expected: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^module_config\.endpoints\.0x07\b/, "the address at which vehicles reach this server"],
  [/^module_config\.certificate$/, "made anew for the table by each server"],
  [/^module_config\.preloaded_pt$/, "only in tables that are built into head units"],
  [/^consumer_friendly_messages\.version$/, "each server counts the versions of its messages"],
  [/^vehicle_data\.schema_version$/, "each server counts the versions of its vehicle data"],
];

/**
 * Lists every semantic difference between two policy tables: order, and what is not there or null, say nothing.
 *
 * @param losses what was not carried over, and so may explain a difference
 */
export function compareTables(theirs: unknown, ours: unknown, losses: readonly Loss[]): readonly Difference[] {
  const changes = listFieldChanges(asObject(normalize(theirs)), asObject(normalize(ours)));
  return changes.map((change) => ({ ...change, reason: explain(change.path, losses) }));
}

function explain(path: string, losses: readonly Loss[]): string | null {
  const known = expected.find(([pattern]) => pattern.test(path));
  if (known !== undefined) return known[1];
  const lost = losses.find((loss) => pathsOf(loss).some((start) => path === start || path.startsWith(`${start}.`)));
  return lost === undefined ? null : `${lost.what}: ${lost.reason}`;
}

const sections: ReadonlyMap<string, string> = new Map([
  ["group", "functional_groupings"],
  ["message", "consumer_friendly_messages.messages"],
  ["vehicle data", "vehicle_data.schema_items"],
  ["app", "app_policies"],
]);

/** Where in a table a loss can be seen. */
function pathsOf({ what, at }: Loss): readonly string[] {
  const [, kind = "", name = ""] =
    /^(group|message|vehicle data|app) (.+?)(?:, version .*)?(?: \(record \d+\))?$/.exec(what) ?? [];
  const start = sections.get(kind);
  if (start === undefined)
    return what.startsWith("module config") ? [`module_config.${at ?? "endpoint_properties"}`] : [];
  return [`${start}.${name}${at === undefined ? "" : `.${at}`}`];
}

const asObject = (value: unknown): object | null => (typeof value === "object" ? value : null);

/** Lists of words are sets; members that are null are not there; the reserved RPC is none (`policy-table.md` A7). */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements: unknown[] = value.filter((element) => !isReservedRpc(element)).map(normalize);
    return elements.every((element) => typeof element === "string") ? elements.toSorted(byCodeUnit) : elements;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalize(member)]));
}

const isReservedRpc = (value: unknown) =>
  typeof value === "object" && value !== null && "function_id" in value && value.function_id === 0;
