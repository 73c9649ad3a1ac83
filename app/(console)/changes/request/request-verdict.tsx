"use client";
import { ChecksSection, EffectSection } from "@/app/_releases/verdict-sections";
import { pathOfChoice } from "@/app/_releases/publication";
import type { ChangedItemJson, ReleaseCheckJson, ReleaseEffectJson } from "@/lib/content/releases/answer-schema";

export function RequestVerdict({
  checks,
  effect,
  items,
}: Readonly<{
  checks: readonly ReleaseCheckJson[];
  effect: ReleaseEffectJson;
  /** What it publishes; null if it publishes nothing and so has no effect per app. */
  items: readonly ChangedItemJson[] | null;
}>) {
  return (
    <>
      <ChecksSection checks={checks} />
      <EffectSection
        effect={effect}
        bytes={effect.bytes}
        pathOf={items && ((uuid) => pathOfChoice(items, false, uuid))}
      />
    </>
  );
}
