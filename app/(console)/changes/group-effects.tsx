"use client";
import { PromotionEffect, usePromotionEffect } from "@/app/(console)/functionalgroups/promotion-effect";

/** What the chosen groups do to apps, group by group: who gains or loses what, and whether drivers are asked. */
export function GroupEffects({ ids }: Readonly<{ ids: readonly number[] }>) {
  return <PromotionEffect {...usePromotionEffect(ids)} />;
}
