import { AppWindow, Braces, FolderPlus, List, ShieldCheck } from "lucide-react";
import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { recordKinds } from "@/app/_records/kinds";
import type { FoundPermission } from "@/lib/console/search/schema";
import { rank } from "@/lib/console/search/rank";
import { plural } from "@/lib/labels/format-number";

/** The best match with all that is known of it, the others with one line each. */
export function listPermissions(found: readonly FoundPermission[], q: string): PaletteItem[] {
  const [best, ...others] = rank(found, q, ({ name }) => [name]);
  return best === undefined ? [] : [...describePermission(best), ...others.map(describeBriefly)];
}

const isIn = (total: number) => (total === 0 ? "In no group" : `In ${plural(total, "group")}`);
const filterOf = ({ name, type }: FoundPermission) => `${type === "RPC" ? "rpc" : "param"}=${encodeURIComponent(name)}`;

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
      act: { href: recordKinds.groups.pathOf(group, "staging") },
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
