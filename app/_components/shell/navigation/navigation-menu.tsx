"use client";
import { Menu } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

const load = () => import("@/app/_components/shell/navigation/navigation-layer").then((m) => m.NavigationLayer);

/** The side navigation behind a button, for narrow screens. */
export function NavigationMenu({ version }: Readonly<{ version: string }>) {
  return (
    <LazyLayer
      popup="dialog"
      trigger={<IconButton icon={Menu} label="Sections" className="md:hidden" />}
      load={load}
      props={{ version }}
    />
  );
}
