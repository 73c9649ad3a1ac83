import { isThere, type Leaf, listMemberChanges, type MemberChange } from "@/lib/releases/fields";
import type { ItemFamily } from "@/lib/vocabulary/release-items";
import { nameLanguage } from "@/lib/vocabulary/language-names";
import { distinct } from "@/lib/vocabulary/order";

const maxParts = 4;
/** Longer values are omitted. In characters. */
const longestValue = 40;

/** One line, e.g. "+2 RPCs, Alert also in BACKGROUND" (`releases.md` L5); bodies as in `listMemberChanges`. */
export function summarizeChange(family: ItemFamily, before: object | null, after: object | null): string {
  if (!isThere(after)) return isThere(before) ? "deleted" : "deleted, and was not there before";
  if (!isThere(before)) return before === null ? "first version" : "back after its deletion";
  const changes = listMemberChanges(before, after);
  if (changes.length === 0) return "no change";
  const parts = (describers[family] ?? describePlain)(changes);
  const left = parts.length - maxParts;
  // Showing one more part takes no more space than "and 1 more".
  return left > 1 ? `${parts.slice(0, maxParts).join(", ")} and ${left} more` : parts.join(", ");
}

type Describe = (changes: readonly MemberChange[]) => string[];

const describers: Readonly<Partial<Record<ItemFamily, Describe>>> = {
  group: (changes) => describeWithin(changes, "rpcs", describeRpcs),
  message: (changes) => describeWithin(changes, "languages", describeLanguages),
  vehicle_data: (changes) => describeWithin(changes, "params", describeNodes),
  app: (changes) => describeWithin(changes, "permissions", describePermissions),
};

function describeWithin(changes: readonly MemberChange[], member: string, describe: Describe): string[] {
  const isWithin = ({ path }: MemberChange) => path[0] === member;
  return [...describe(changes.filter(isWithin)), ...describePlain(changes.filter((change) => !isWithin(change)))];
}

function groupBy(changes: readonly MemberChange[], place: number): Map<string, MemberChange[]> {
  return groupByName(changes, ({ path }) => path[place] ?? "");
}

function groupByName(changes: readonly MemberChange[], nameOf: (change: MemberChange) => string) {
  const groups = new Map<string, MemberChange[]>();
  for (const change of changes) groups.set(nameOf(change), [...(groups.get(nameOf(change)) ?? []), change]);
  return groups;
}

function sortOut(groups: ReadonlyMap<string, readonly MemberChange[]>) {
  const all = [...groups];
  const cameOf = ([, changes]: (typeof all)[number]) => changes.every(({ before }) => before === null);
  const wentOf = ([, changes]: (typeof all)[number]) => changes.every(({ after }) => after === null);
  return {
    came: all.filter(cameOf).map(([name]) => name),
    went: all.filter(wentOf).map(([name]) => name),
    stayed: all.filter((one) => !cameOf(one) && !wentOf(one)),
  };
}

/** "+RPC Alert", "+2 RPCs"; empty if there are no names. */
function countNamed(sign: string, [one, many]: readonly [string, string], names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [names.length === 1 ? `${sign}${one} ${names.join("")}` : `${sign}${names.length} ${many}`];
}

function describeRpcs(changes: readonly MemberChange[]): string[] {
  const words = ["RPC", "RPCs"] as const;
  const groups = groupBy(changes, 1);
  // If an RPC has levels before and after, only its parameters may have been added or removed.
  const levelsOf = (name: string) => groups.get(name)?.find(({ path }) => path[2] === "hmi_levels");
  const came = [...groups.keys()].filter((name) => levelsOf(name)?.before === null);
  const went = [...groups.keys()].filter((name) => levelsOf(name)?.after === null);
  const stayed = [...groups].filter(([name]) => !came.includes(name) && !went.includes(name));
  return [
    ...countNamed("+", words, came),
    ...countNamed("−", words, went),
    ...stayed.flatMap(([name, own]) => own.flatMap((change) => describeRpc(name, change))),
  ];
}

function describeRpc(name: string, { path, before, after }: MemberChange): string[] {
  const [old, now] = [namesIn(before), namesIn(after)];
  const more = now.filter((one) => !old.includes(one));
  const less = old.filter((one) => !now.includes(one));
  if (path[2] === "hmi_levels") {
    const also = more.length > 0 ? [`${name} also in ${more.join(", ")}`] : [];
    return [...also, ...(less.length > 0 ? [`${name} no longer in ${less.join(", ")}`] : [])];
  }
  const words = ["parameter", "parameters"] as const;
  return [...countNamed("+", words, more), ...countNamed("−", words, less)].map((part) => `${name} ${part}`);
}

function namesIn(leaf: Leaf): string[] {
  return Array.isArray(leaf) ? leaf.map(String) : [];
}

function describeLanguages(changes: readonly MemberChange[]): string[] {
  const { came, went, stayed } = sortOut(groupBy(changes, 1));
  const nameOf = (id: string) => nameLanguage(id).name;
  const count = (sign: string, ids: readonly string[]) =>
    ids.length === 1
      ? ids.map((id) => `${sign}${nameOf(id)}`)
      : ids.length > 1
        ? [`${sign}${ids.length} languages`]
        : [];
  const changed = stayed.map(([id]) => `${nameOf(id)} texts changed`);
  return [
    ...count("+", came),
    ...count("−", went),
    ...(changed.length > 2 ? [`texts of ${changed.length} languages changed`] : changed),
  ];
}

/** Nodes within an item of vehicle data. Paths alternate `params` and a name, and end with a member. */
function describeNodes(changes: readonly MemberChange[]): string[] {
  const nodes = groupByName(changes, ({ path }) => nodeNames(path).join("."));
  const { came, went, stayed } = sortOut(nodes);
  const words = ["item", "items"] as const;
  return [
    ...countNamed("+", words, came),
    ...countNamed("−", words, went),
    ...stayed.flatMap(([name, own]) =>
      own.map(({ path, before, after }) => `${name}: ${describeMember([path.at(-1) ?? ""], before, after)}`),
    ),
  ];
}

function nodeNames(path: readonly string[]): string[] {
  const names: string[] = [];
  for (let at = 0; path[at] === "params"; at += 2) names.push(path[at + 1] ?? "");
  return names;
}

function describePermissions(changes: readonly MemberChange[]): string[] {
  const { came, went, stayed } = sortOut(groupBy(changes, 1));
  const words = ["permission", "permissions"] as const;
  return [
    ...countNamed("+", words, came),
    ...countNamed("−", words, went),
    ...stayed.flatMap(([name, own]) => own.map(({ before, after }) => describeMember([name], before, after))),
  ];
}

function describePlain(changes: readonly MemberChange[]): string[] {
  return distinct(changes.map(({ path, before, after }) => describeMember(path, before, after)));
}

/** Shows short values. For keys and certificates it shows only that they changed. */
function describeMember(path: readonly string[], before: Leaf, after: Leaf): string {
  const name = path.join(" ").replaceAll("_", " ");
  if (/certificate|key$/.test(path.at(-1) ?? "")) return `${name} ${changeVerb(before, after)}`;
  if (before === false && after === true) return `${name}: yes`;
  if (before === true && after === false) return `${name}: no`;
  const [old, now] = [sayValue(before), sayValue(after)];
  if (old === null || now === null) return `${name} ${changeVerb(before, after)}`;
  return `${name} ${old} → ${now}`;
}

function changeVerb(before: Leaf, after: Leaf): string {
  if (before === null) return "added";
  return after === null ? "removed" : "changed";
}

function sayValue(leaf: Leaf): string | null {
  const text = leaf === null || leaf === "" ? "none" : Array.isArray(leaf) ? leaf.join(", ") : String(leaf);
  return text.length > longestValue ? null : text;
}
