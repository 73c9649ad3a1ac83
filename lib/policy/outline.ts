import { memberOf } from "@/lib/policy/head-unit/values";

export interface SectionOutline {
  readonly name: string;
  /** The main content of the section: how many, and their unit. */
  readonly count: number;
  readonly unit: string;
  /** Length of its JSON text in UTF-8 bytes, without whitespace. */
  readonly bytes: number;
}

type Counted = readonly [count: number, unit: string];

const membersOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;
const word = (count: number, one: string): Counted => [count, count === 1 ? one : `${one}s`];

const counters: Readonly<Record<string, (section: unknown) => Counted>> = {
  vehicle_data: (section) => {
    const items = memberOf(section, "schema_items");
    return word(Array.isArray(items) ? items.length : 0, "item");
  },
  functional_groupings: (section) => word(membersOf(section), "group"),
  consumer_friendly_messages: (section) => word(membersOf(memberOf(section, "messages")), "message"),
  app_policies: (section) => [membersOf(section), membersOf(section) === 1 ? "entry" : "entries"],
};

export function outlineTable(table: object): SectionOutline[] {
  return Object.entries(table).map(([name, section]: [string, unknown]) => {
    const [count, unit] = counters[name]?.(section) ?? word(membersOf(section), "setting");
    return { name, count, unit, bytes: new TextEncoder().encode(JSON.stringify(section)).length };
  });
}
