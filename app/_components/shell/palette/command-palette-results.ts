import {
  AppWindow,
  Braces,
  CarFront,
  FolderPlus,
  History,
  List,
  MessagesSquare,
  PanelsTopLeft,
  ShieldCheck,
} from "lucide-react";
import { palettePages } from "@/app/_components/shell/palette/command-palette-actions";
import type { PaletteGroup, PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { listRecent } from "@/app/_components/shell/palette/command-palette-recent";
import type { PaletteSearch } from "@/app/_components/shell/palette/use-palette-search";
import { groupPath } from "@/lib/groups/list-address";
import type { FoundPermission, SearchAnswer } from "@/lib/search/answer-schema";
import { rank, scoreTexts } from "@/lib/search/rank";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What stands there before anything is searched for. */
export function listIdle(): PaletteGroup[] {
  const recent = listRecent().map(({ label, href, kind }): PaletteItem => ({
    id: `recent:${href}`,
    kind,
    label,
    hint: kind,
    icon: icons[kind] ?? History,
    act: { href },
  }));
  return [
    { value: "Recent", items: recent },
    { value: "Pages", items: palettePages },
  ].filter(({ items }) => items.length > 0);
}

/**
 * What was found, the kind with the best match first. While the next answer is on its way, of the last one only those
 * stay that hold the new text, too: what somebody chooses in a hurry is never something else.
 */
export function listFound(
  q: string,
  { answer, answered }: Pick<PaletteSearch, "answer" | "answered">,
  actions: readonly PaletteItem[],
): PaletteGroup[] {
  const wanted = q.toLowerCase();
  const scoreOf = ({ label, words }: PaletteItem) => scoreTexts([label, words ?? null], wanted);
  const keep = (items: readonly PaletteItem[]) =>
    answered === q ? items : items.filter((item) => scoreOf(item) !== Infinity && item.isMore !== true);
  const records = answer === null ? [] : buildRecords(answer, answered);
  const kinds: readonly PaletteGroup[] = [
    ...records.map(({ value, items }) => ({ value, items: keep(items) })),
    { value: "Pages", items: rank(palettePages, q, ({ label }) => [label]) },
    { value: "Actions", items: rank(actions, q, ({ label, words }) => [label, words ?? null]) },
  ];
  return kinds
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ group, score: Math.min(...group.items.map(scoreOf)) }))
    .sort((a, b) => (a.score === b.score ? 0 : a.score - b.score))
    .map(({ group }) => group);
}

const buildRecords = (answer: SearchAnswer, q: string): PaletteGroup[] => [
  { value: "Applications", items: listApplications(answer, q) },
  { value: "RPCs and parameters", items: listPermissions(answer.permissions.items, q) },
  { value: "Functional groups", items: listGroups(answer, q) },
  { value: "Consumer messages", items: listMessages(answer, q) },
  { value: "Vehicle data", items: listVehicleData(answer, q) },
];

const icons: Readonly<Record<string, PaletteItem["icon"]>> = {
  Applications: AppWindow,
  "Functional groups": ShieldCheck,
  "Consumer messages": MessagesSquare,
  "Vehicle data": CarFront,
  Pages: PanelsTopLeft,
};

/** The way to all of a kind, where more were found than are shown. */
function more(kind: string, q: string, shown: number, total: number | null, href: string): PaletteItem[] {
  if (total !== null && total <= shown) return [];
  const label = total === null ? `All ${kind.toLowerCase()} that match` : `All ${total} ${kind.toLowerCase()}`;
  return [{ id: `more:${kind}`, kind, label, icon: List, act: { href }, isMore: true, recentLabel: `Search for ${q}` }];
}

const query = (q: string) => encodeURIComponent(q);

function listApplications({ applications: { items, total } }: SearchAnswer, q: string): PaletteItem[] {
  const kind = "Applications";
  const apps = items.map(({ id, name, vendor, state }): PaletteItem => ({
    id: `app:${id}`,
    kind,
    label: name,
    hint: vendor,
    icon: AppWindow,
    state,
    act: { href: `/applications/${id}` },
  }));
  return [...apps, ...more(kind, q, items.length, total, `/applications?state=all&q=${query(q)}`)];
}

function listGroups({ groups: { items, total } }: SearchAnswer, q: string): PaletteItem[] {
  const kind = "Functional groups";
  const groups = items.map((group): PaletteItem => ({
    id: `group:${group.id}`,
    kind,
    label: group.name,
    hint: group.is_deleted ? "Deletion pending" : (group.description ?? undefined),
    icon: ShieldCheck,
    act: { href: groupPath({ name: group.name }, "staging") },
  }));
  return [...groups, ...more(kind, q, items.length, total, `/functionalgroups?environment=staging&q=${query(q)}`)];
}

function listMessages({ messages: { items, total } }: SearchAnswer, q: string): PaletteItem[] {
  const kind = "Consumer messages";
  const messages = items.map(({ id, category }): PaletteItem => ({
    id: `message:${id}`,
    kind,
    label: category,
    icon: MessagesSquare,
    act: { href: `/consumermessages/manage?category=${query(category)}&environment=staging` },
  }));
  return [...messages, ...more(kind, q, items.length, total, `/consumermessages?environment=staging&q=${query(q)}`)];
}

function listVehicleData({ vehicle_data: { items, total } }: SearchAnswer, q: string): PaletteItem[] {
  const kind = "Vehicle data";
  const nodes = items.map(({ id, name, key, path }): PaletteItem => ({
    id: `vehicle:${id}`,
    kind,
    label: name,
    hint: path === name ? key : `${path} · ${key}`,
    icon: CarFront,
    isCode: true,
    act: { href: vehicleDataPath(id, "staging") },
  }));
  return [...nodes, ...more(kind, q, items.length, total, `/vehicledata?environment=staging&q=${query(q)}`)];
}

/** The best match with all that is known of it, the others with one line each. */
function listPermissions(found: readonly FoundPermission[], q: string): PaletteItem[] {
  const [best, ...others] = rank(found, q, ({ name }) => [name]);
  return best === undefined ? [] : [...describePermission(best), ...others.map(describeBriefly)];
}

const isIn = (total: number) => (total === 0 ? "In no group" : `In ${plural(total, "group")}`);
const filterOf = ({ name, type }: FoundPermission) => `${type === "RPC" ? "rpc" : "param"}=${query(name)}`;

function describeBriefly(permission: FoundPermission): PaletteItem {
  const { name, type, groups } = permission;
  return {
    id: `permission:${name}`,
    kind: "Functional groups",
    label: name,
    hint: `${type === "RPC" ? "RPC" : "Parameter"} · ${isIn(groups.total)}`,
    icon: Braces,
    isCode: true,
    act: { href: `/functionalgroups?environment=staging&${filterOf(permission)}` },
    recentLabel: `Groups with ${name}`,
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
      act: { href: groupPath({ name: group.name }, "staging") },
    })),
    ...(groups.total > groups.items.length
      ? [
          {
            ...inner,
            id: "permission-groups",
            label: `All ${groups.total} groups`,
            icon: List,
            act: { href: `/functionalgroups?environment=staging&${filterOf(permission)}` },
            recentLabel: `Groups with ${name}`,
          },
        ]
      : []),
    {
      ...inner,
      id: "permission-apps",
      kind: "Applications",
      label: apps === 0 ? "Requested by no app" : `Requested by ${plural(apps, "app")}`,
      icon: AppWindow,
      act: { href: `/applications?state=all&perm=${query(name)}` },
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
