"use client";
import type { ReactElement } from "react";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";
import type { MenuProps } from "@/app/_components/overlay/menu-layer";

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
