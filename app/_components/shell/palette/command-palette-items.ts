import type { LucideIcon } from "lucide-react";
import type { WantedPermission } from "@/app/(console)/functionalgroups/group-form";
import type { AppState } from "@/lib/apps/applications/versions";

/** What a choice in the palette does. */
export type PaletteAct =
  { readonly href: string } | { readonly addToGroup: WantedPermission } | { readonly run: () => void };

/** One line of the palette. */
export interface PaletteItem {
  /** Unlike all others that are shown. */
  readonly id: string;
  /** What it leads to, as the headings call it; remembered with it. */
  readonly kind: string;
  readonly label: string;
  /** What it is, in a few words behind the name. */
  readonly hint?: string | undefined;
  /** Single keys that lead there. */
  readonly keys?: string;
  readonly icon: LucideIcon;
  readonly state?: AppState | undefined;
  /** Belongs to the line above. */
  readonly isInner?: boolean;
  /** Leads to all of a kind. */
  readonly isMore?: boolean;
  /** Names of identifiers are shown as such. */
  readonly isCode?: boolean;
  readonly act: PaletteAct;
  /** Other words it is found by. */
  readonly words?: string;
  /** Under which name it is remembered; by default its label. */
  readonly recentLabel?: string;
}

/** Lines under one heading. */
export interface PaletteGroup {
  readonly value: string;
  readonly items: readonly PaletteItem[];
}
