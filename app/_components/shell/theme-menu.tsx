"use client";
import { SunMoon } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

const load = () => import("@/app/_components/shell/theme-menu-layer").then((m) => m.ThemeMenuLayer);

/** Light, dark, or what the system says. */
export function ThemeMenu() {
  return <LazyLayer popup="menu" trigger={<IconButton icon={SunMoon} label="Theme" />} load={load} props={{}} />;
}
