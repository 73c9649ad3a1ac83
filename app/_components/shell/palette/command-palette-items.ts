import type { LucideIcon } from "lucide-react";
import type { WantedPermission } from "@/app/(console)/functionalgroups/group-form";
import type { AppState } from "@/lib/apps/applications/versions";

/** The action of an entry. */
export type PaletteAct =
  | { readonly href: string }
  | { readonly addToGroup: WantedPermission }
  | { readonly run: () => void };

/** One line of the palette. */
export interface PaletteItem {
  /** Unique among the visible lines. */
  readonly id: string;
  /** Its kind, as in the headings; stored with recent entries. */
  readonly kind: string;
  readonly label: string;
  /** A few words of explanation after the name. */
  readonly hint?: string | undefined;
  readonly icon: LucideIcon;
  readonly state?: AppState | undefined;
  /** Belongs to the line above. */
  readonly isInner?: boolean;
  /** Links to all results of a kind. */
  readonly isMore?: boolean;
  /** Renders identifiers as code. */
  readonly isCode?: boolean;
  readonly act: PaletteAct;
  /** More search terms. */
  readonly words?: string;
  /** Label among the recent entries; default: its label. */
  readonly recentLabel?: string;
}

/** Lines under one heading. */
export interface PaletteGroup {
  readonly value: string;
  readonly items: readonly PaletteItem[];
}
