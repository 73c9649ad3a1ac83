"use client";
import { use } from "react";
import { EffectSection } from "@/app/_releases/verdict-sections";
import type { AppsEffect } from "@/app/_releases/effect-apps";

/** What a release did to the apps of today (L7). It comes later than the page: production of then is read again for it. */
export function ReleaseEffect({ effect }: Readonly<{ effect: Promise<AppsEffect> }>) {
  return <EffectSection effect={use(effect)} isDone pathOf={null} />;
}
