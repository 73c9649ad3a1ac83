import { AppWindow, Braces, FolderPlus, History, List, PanelsTopLeft, ShieldCheck } from "lucide-react";
import { consoleSections } from "@/app/_components/shell/navigation/sections";
import { listPages, mayOpen } from "@/app/_components/shell/palette/command-palette-actions";
import type { PaletteGroup, PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { listRecent } from "@/app/_components/shell/palette/command-palette-recent";
import type { PaletteSearch } from "@/app/_components/shell/palette/use-palette-search";
import { recordKinds } from "@/app/_records/kinds";
import type { FoundPermission, SearchAnswer } from "@/app/_search/schema";
import { parameterPath, permissionPath } from "@/app/(console)/rpcs/address";
import { rank, scoreTexts } from "@/app/_search/rank";
import { plural } from "@/lib/vocabulary/format-number";
import type { Role } from "@/lib/vocabulary/roles";
import { itemAddress, itemText, releaseItems } from "@/lib/vocabulary/release-items";

const ownIcons = new Map([
  ["Pages", PanelsTopLeft],
  ["RPCs and parameters", Braces],
]);
const iconOf = (kind: string) => ownIcons.get(kind) ?? consoleSections.find(({ label }) => label === kind)?.icon;

export function listIdle(role: Role): PaletteGroup[] {
  const known = listRecent().filter(({ href }) => mayOpen(role, href));
  const recent = known.map(({ label, href, kind }): PaletteItem => ({
    id: `recent:${href}`,
    kind,
    label,
    hint: kind,
    icon: iconOf(kind) ?? History,
    act: { href },
  }));
  return [
    { value: "Recent", items: recent },
    { value: "Pages", items: listPages(role) },
  ].filter(({ items }) => items.length > 0);
}

/**
 * While a response is pending, only old results that match the new text stay, so that a quick choice is never wrong.
 */
export function listFound(
  q: string,
  { answer, answered }: Pick<PaletteSearch, "answer" | "answered">,
  actions: readonly PaletteItem[],
  role: Role,
): PaletteGroup[] {
  const wanted = q.toLowerCase();
  const scoreOf = ({ label, words }: PaletteItem) => scoreTexts([label, words ?? null], wanted);
  const keep = (items: readonly PaletteItem[]) =>
    answered === q ? items : items.filter((item) => scoreOf(item) !== Infinity && item.isMore !== true);
  const records = answer === null ? [] : buildRecords(answer, answered);
  const kinds: readonly PaletteGroup[] = [
    ...records.map(({ value, items }) => ({ value, items: keep(items) })),
    { value: "Pages", items: rank(listPages(role), q, ({ label }) => [label]) },
    { value: "Actions", items: rank(actions, q, ({ label, words }) => [label, words ?? null]) },
  ];
  return kinds
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ group, score: Math.min(...group.items.map(scoreOf)) }))
    .sort((a, b) => (a.score === b.score ? 0 : a.score - b.score))
    .map(({ group }) => group);
}

function listKind<One>(
  kind: string,
  { items, total }: { readonly items: readonly One[]; readonly total: number | null },
  q: string,
  list: string,
  describe: (one: One) => Omit<PaletteItem, "kind" | "icon">,
): PaletteGroup {
  const shown = items.map((one): PaletteItem => ({ kind, icon: iconOf(kind) ?? List, ...describe(one) }));
  if (total !== null && total <= items.length) return { value: kind, items: shown };
  const label = total === null ? `All ${kind.toLowerCase()} that match` : `All ${total} ${kind.toLowerCase()}`;
  const act = { href: `${list}&q=${encodeURIComponent(q)}` };
  const rest = { id: `more:${kind}`, kind, label, icon: List, act, isMore: true, recentLabel: `Search for ${q}` };
  return { value: kind, items: [...shown, rest] };
}

function buildRecords(answer: SearchAnswer, q: string): PaletteGroup[] {
  const { groups, vehicleData } = recordKinds;
  const inStaging = "?environment=staging";
  return [
    listKind("Applications", answer.applications, q, "/applications?state=all", ({ id, name, vendor, state }) => ({
      ...{ id: `app:${id}`, label: name, hint: vendor, state },
      act: { href: `/applications/${id}` },
    })),
    { value: "RPCs and parameters", items: listPermissions(answer.permissions.items, q) },
    listKind(groups.label, answer.groups, q, groups.section + inStaging, (group) => ({
      ...{ id: `group:${group.id}`, label: group.name },
      hint: group.is_deleted ? "Deletion pending" : (group.description ?? undefined),
      act: { href: groups.pathOf(group, "staging") },
    })),
    ...answer.records.map(({ family, ...found }) => {
      const { heading, section } = releaseItems[family];
      return listKind(heading, found, q, section + inStaging, ({ key }) => ({
        ...{ id: itemText({ family, key }), label: key },
        act: { href: itemAddress({ family, key }, "staging") },
      }));
    }),
    listKind(vehicleData.label, answer.vehicle_data, q, vehicleData.section + inStaging, ({ id, name, key, path }) => ({
      ...{ id: `vehicle:${id}`, label: name, hint: path === name ? key : `${path} · ${key}`, isCode: true },
      act: { href: vehicleData.pathOf({ id, name }, "staging") },
    })),
  ];
}

function listPermissions(found: readonly FoundPermission[], q: string): PaletteItem[] {
  const [best, ...others] = rank(found, q, ({ name }) => [name]);
  return best === undefined ? [] : [...describePermission(best), ...others.map(describeBriefly)];
}

const isIn = (total: number) => (total === 0 ? "In no group" : `In ${plural(total, "group")}`);
const groupsWith = ({ name, type }: FoundPermission) => ({
  act: {
    href: `/functionalgroups?environment=staging&${type === "RPC" ? "rpc" : "param"}=${encodeURIComponent(name)}`,
  },
  recentLabel: `Groups with ${name}`,
});

function describeBriefly(permission: FoundPermission): PaletteItem {
  const { name, type, parents, groups } = permission;
  const path = type === "RPC" ? permissionPath(name) : parameterPath(name, parents);
  return {
    id: `permission:${name}`,
    kind: "RPCs and parameters",
    label: name,
    hint: `${type === "RPC" ? "RPC" : "Parameter"} · ${isIn(groups.total)}`,
    icon: Braces,
    isCode: true,
    ...(path === null ? groupsWith(permission) : { act: { href: path } }),
  };
}

function describePermission(permission: FoundPermission): PaletteItem[] {
  const { name, type, parents, groups, application_total: apps } = permission;
  const inner = { kind: "Functional groups", isInner: true } as const;
  return [
    describeBriefly(permission),
    ...groups.items.map((group): PaletteItem => ({
      ...inner,
      id: `permission-group:${group.id}`,
      label: group.name,
      hint: `contains ${name}`,
      icon: ShieldCheck,
      act: { href: recordKinds.groups.pathOf(group, "staging") },
    })),
    ...(groups.total > groups.items.length
      ? [
          {
            ...inner,
            id: "permission-groups",
            label: `All ${groups.total} groups`,
            icon: List,
            ...groupsWith(permission),
          },
        ]
      : []),
    {
      ...inner,
      id: "permission-apps",
      kind: "Applications",
      label: apps === 0 ? "Requested by no app" : `Requested by ${plural(apps, "app")}`,
      icon: AppWindow,
      act: { href: `/applications?state=all&perm=${encodeURIComponent(name)}` },
      recentLabel: `Apps that request ${name}`,
    },
    {
      ...inner,
      id: "permission-add",
      label: `Add ${name} to a group…`,
      icon: FolderPlus,
      act: { addToGroup: { name, type, parents } },
    },
  ];
}
