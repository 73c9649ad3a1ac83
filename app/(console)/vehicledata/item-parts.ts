import { type ItemForm, type NodeForm, readLimit } from "./item-form";
import { limitNames } from "@/lib/vocabulary/terms";
import { pickMembers, recordOf } from "@/lib/vocabulary/members";
import { copyNode } from "./tree-edit";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";
import type { DraftParts } from "@/app/_components/form/draft-parts";
import { describeLimits } from "@/lib/records/vehicle-data/console-rows";

interface Content extends Omit<NodeForm, "uid" | "name" | "params"> {
  readonly inside: Readonly<Record<string, Content>>;
}

const prefix = "params.";
const maxListed = 6;

/** Children are compared one by one, so that edits of two children do not conflict. */
export const itemParts: DraftParts<ItemForm> = {
  split({ name, key, type, array, isDeleted, params, ...rest }) {
    const children = listChildren(params).map(([part, child]) => [`${prefix}${part}`, toContent(child)] as const);
    return { name, key, type, array, isDeleted, ...pickMembers(rest, limitNames), ...Object.fromEntries(children) };
  },
  take(value, from, names) {
    const members = names.filter((name) => !name.startsWith(prefix)) as (keyof ItemForm)[];
    const wanted = new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
    return {
      ...value,
      ...Object.fromEntries(members.map((name) => [name, from[name]])),
      params: takeChildren(value.params, from.params, wanted),
    };
  },
  nameOf: (name) => (name.startsWith(prefix) ? `Inside: ${name.slice(prefix.length) || "unnamed"}` : null),
  describe: (value, others) =>
    isContent(value) || others.some(isContent)
      ? describeContent(value as Content | undefined, others as readonly (Content | undefined)[])
      : describeValue(value),
};

function listChildren(params: readonly NodeForm[]): [part: string, child: NodeForm][] {
  const seen = new Map<string, number>();
  return params.map((child) => {
    const count = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, count);
    return [count === 1 ? child.name : `${child.name} (${count})`, child];
  });
}

function takeChildren(own: readonly NodeForm[], others: readonly NodeForm[], wanted: ReadonlySet<string>): NodeForm[] {
  const theirs = new Map(listChildren(others));
  const ours = listChildren(own);
  const known = new Set(ours.map(([part]) => part));
  // A renamed node of ours may have the same uid as theirs.
  const adopt = (child: NodeForm | undefined) =>
    child === undefined ? [] : [copyNode(child, child.name, () => `taken-${crypto.randomUUID()}`)];
  return [
    ...ours.flatMap(([part, child]) => (wanted.has(part) ? adopt(theirs.get(part)) : [child])),
    ...[...wanted].filter((part) => !known.has(part)).flatMap((part) => adopt(theirs.get(part))),
  ];
}

function toContent({ uid: _uid, name: _name, params, ...own }: NodeForm): Content {
  const children = listChildren(params).map(([part, child]) => [part, toContent(child)] as const);
  return { ...own, inside: Object.fromEntries(children) };
}

function isContent(value: unknown): value is Content {
  return typeof value === "object" && value !== null && "inside" in value;
}

function describeContent(value: Content | undefined, others: readonly (Content | undefined)[]): string {
  if (value === undefined) return "not there";
  const compared = others.filter(isContent);
  const [mine, ...rest] = [value, ...compared].map((one) => new Map(listInside(one)));
  const paths = new Set([...(mine?.keys() ?? []), ...rest.flatMap((one) => [...one.keys()])]);
  const differing = [...paths].filter((path) => rest.some((one) => !deepEqual(one.get(path), mine?.get(path))));
  const told = differing.slice(0, maxListed).map((path) => `${path}: ${mine?.get(path) ?? "not there"}`);
  const more = differing.length - told.length;
  return [describeOwn(value), ...told, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function listInside({ inside }: Content, above = ""): [path: string, words: string][] {
  return Object.entries(inside).flatMap(([name, child]): [string, string][] => {
    const path = `${above}${name || "unnamed"}`;
    return [[path, describeOwn(child)], ...listInside(child, `${path} › `)];
  });
}

function describeOwn(node: Content): string {
  const { type, array, key, mandatory } = node;
  const count = listInside(node).length;
  const words = [
    `${type || "no type"}${array ? " list" : ""}`,
    describeLimits({ type, array, ...recordOf(limitNames, (name) => readLimit(node[name])) }),
    key === "" ? "no key" : `key ${key}`,
    mandatory ? "mandatory" : "",
    count > 0 ? `${count} inside` : "",
  ];
  return words.filter((word) => word !== "").join(", ");
}
