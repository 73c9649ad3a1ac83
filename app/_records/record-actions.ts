import { Copy, Eye, Pencil, Rocket, Trash2, Undo2 } from "lucide-react";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";
import type { ListedRecord } from "@/app/_records/listed-kind";
import type { Environment } from "@/lib/labels/vocabulary";

/**
 * What can be done with one row of a list: the same, in the same order, for every family.
 *
 * @param record null for what is inside of a record, which is only opened
 */
export function buildRowActions(
  record: ListedRecord | null,
  {
    environment,
    href,
    copyHref,
    pathOf,
    reviewOf,
    onRemove,
  }: Readonly<{
    environment: Environment;
    href: string;
    /** Null where records cannot be copied. */
    copyHref: string | null;
    pathOf: (record: ListedRecord, environment: Environment) => string;
    reviewOf: (record: ListedRecord) => string;
    onRemove: (kind: "delete" | "restore") => void;
  }>,
): MenuEntry[] {
  const isStaging = environment === "staging";
  const open: MenuEntry =
    isStaging && record?.isDeleted !== true
      ? { label: "Edit", icon: Pencil, href }
      : { label: "View", icon: Eye, href };
  if (record === null) return [open];
  const { status, isDeleted, isNew } = record;
  const copy: MenuEntry[] = copyHref === null || isDeleted ? [] : [{ label: "Duplicate", icon: Copy, href: copyHref }];
  if (!isStaging) return [open, { label: "Edit in staging", icon: Pencil, href: pathOf(record, "staging") }, ...copy];
  const remove: MenuEntry = isDeleted
    ? { label: "Restore…", icon: Undo2, onSelect: onRemove.bind(null, "restore") }
    : { label: "Delete…", icon: Trash2, danger: true, onSelect: onRemove.bind(null, "delete") };
  return [
    open,
    ...copy,
    ...(isNew ? [] : [{ label: "View in production", icon: Eye, href: pathOf(record, "production") }]),
    {
      label: "Publish to production",
      icon: Rocket,
      disabledReason: status === "STAGING" ? null : "Production already has this version",
      href: reviewOf(record),
    },
    "separator",
    remove,
  ];
}
