"use client";
import { Bookmark, ChevronDown } from "lucide-react";
import { Button } from "@/app/_components/ui/button";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

const load = () => import("@/app/_components/list/views/views-menu-layer").then((m) => m.ViewsMenuLayer);

/** Saves the list as its address says, under a name and in this browser, and leads back to it. Part of `ListToolbar`. */
export function ViewsMenu() {
  const trigger = (
    <Button>
      <Bookmark aria-hidden="true" />
      Views
      <ChevronDown aria-hidden="true" />
    </Button>
  );
  return <LazyLayer popup="menu" trigger={trigger} load={load} props={{}} />;
}
