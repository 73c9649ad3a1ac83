"use client";
import type { LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

export type MenuEntry =
  | "separator"
  | {
      readonly label: string;
      readonly icon?: LucideIcon;
      /** Leads somewhere; else `onSelect` does something. */
      readonly href?: string;
      readonly onSelect?: () => void;
      readonly danger?: boolean;
      /** Why it is not possible now; shown below the label. */
      readonly disabledReason?: string | null | undefined;
    };

export interface MenuProps {
  readonly entries: readonly MenuEntry[];
  readonly align?: "start" | "end";
}

const load = () => import("@/app/_components/overlay/menu-layer").then((m) => m.MenuLayer);

/**
 * A menu of actions behind a button.
 *
 * @example
 * <Menu trigger={<IconButton icon={Ellipsis} label="Actions for Base-4" />} entries={[{ label: "Delete…", onSelect }]} />
 */
export function Menu({ trigger, ...props }: Readonly<MenuProps & { trigger: ReactElement }>) {
  return <LazyLayer popup="menu" trigger={trigger} load={load} props={props} />;
}
