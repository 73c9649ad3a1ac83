import { Eye, Pencil, Rocket, RotateCcw, Trash2 } from "lucide-react";
import type { MenuEntry } from "@/app/_components/overlay/menu-layer";
import type { MessageRow } from "@/lib/messages/overview";
import type { Environment } from "@/lib/words/vocabulary";
import { messagePath } from "../message-path";

/** What can be done with one message of the list. */
export function buildRowActions(
  row: MessageRow,
  {
    environment,
    onPromote,
    onDelete,
  }: Readonly<{
    environment: Environment;
    onPromote: () => void;
    /** Deletes it, or restores a deleted one. */
    onDelete: (row: MessageRow) => void;
  }>,
): readonly MenuEntry[] {
  const pageIn = (place: Environment) => messagePath(row.category, place);
  const inProduction: readonly MenuEntry[] = row.isNew
    ? []
    : [{ label: "Show the production version", icon: Eye, href: pageIn("production") }];
  if (environment === "production") {
    return [...inProduction, { label: "Edit in staging", icon: Pencil, href: pageIn("staging") }];
  }
  return [
    { label: row.isDeleted ? "Open" : "Edit", icon: Pencil, href: pageIn("staging") },
    ...inProduction,
    "separator",
    {
      label: "Promote…",
      icon: Rocket,
      onSelect: onPromote,
      disabledReason: row.status === "STAGING" ? null : "Production already has this version",
    },
    "separator",
    row.isDeleted
      ? {
          label: "Restore…",
          icon: RotateCcw,
          onSelect: () => {
            onDelete(row);
          },
        }
      : {
          label: "Delete…",
          icon: Trash2,
          danger: true,
          onSelect: () => {
            onDelete(row);
          },
        },
  ];
}
