import type { LucideIcon } from "lucide-react";
import type { WantedPermission } from "@/app/(console)/functionalgroups/group-form";
import type { AppState } from "@/lib/apps/applications/versions";

export type PaletteAct =
  | { readonly href: string }
  | { readonly addToGroup: WantedPermission }
  | { readonly run: () => void };

export interface PaletteItem {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: LucideIcon;
  readonly state?: AppState | undefined;
  readonly isInner?: boolean;
  readonly isMore?: boolean;
  readonly isCode?: boolean;
  readonly act: PaletteAct;
  /** More search terms. */
  readonly words?: string;
  /** Default: the label. */
  readonly recentLabel?: string;
}

export interface PaletteGroup {
  readonly value: string;
  readonly items: readonly PaletteItem[];
}
