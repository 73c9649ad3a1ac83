import { Copy, Eye, Pencil, Rocket, Trash2, Undo2 } from "lucide-react";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";
import type { ListedKind } from "@/app/_records/listed-kind";
import { reviewPath } from "@/app/_releases/item-address";
import type { Environment } from "@/lib/vocabulary/terms";

export const rowPath = (section: string, { id }: { readonly id: number }, environment: Environment) =>
  `${section}/manage?id=${id}&environment=${environment}`;

export function buildRowActions<Row extends { readonly id: number }>(
  { section, family, isCopied, pathOf, record: recordOf }: ListedKind<Row>,
  environment: Environment,
  row: Row,
  onRemove: (act: "delete" | "restore") => void,
): MenuEntry[] {
  const isStaging = environment === "staging";
  const record = recordOf(row);
  const href = rowPath(section, row, environment);
  const open: MenuEntry =
    isStaging && record?.isDeleted !== true
      ? { label: "Edit", icon: Pencil, href }
      : { label: "View", icon: Eye, href };
  if (record === null) return [open];
  const { id, status, isDeleted, isNew } = record;
  const copyHref = `${section}/manage?from=${id}`;
  const copy: MenuEntry[] = isCopied && !isDeleted ? [{ label: "Duplicate", icon: Copy, href: copyHref }] : [];
  if (!isStaging) return [open, { label: "Edit in staging", icon: Pencil, href: pathOf(record, "staging") }, ...copy];
  return [
    open,
    ...copy,
    ...(isNew ? [] : [{ label: "View in production", icon: Eye, href: pathOf(record, "production") }]),
    {
      label: "Publish to production",
      icon: Rocket,
      disabledReason: status === "STAGING" ? null : "Production already has this version",
      href: reviewPath([{ family, ids: [id] }]),
    },
    "separator",
    isDeleted
      ? { label: "Restore…", icon: Undo2, onSelect: () => onRemove("restore") }
      : { label: "Delete…", icon: Trash2, danger: true, onSelect: () => onRemove("delete") },
  ];
}
