"use client";
import { ChecksSection, EffectSection } from "@/app/_releases/verdict-sections";
import { pathOfChoice, pathOfMoreApps } from "@/app/_releases/publication";
import type { ChangedItemJson, ReleaseCheckJson, ReleaseEffectJson } from "@/lib/content/releases/answer-schema";

export function RequestVerdict({
  checks,
  effect,
  items,
}: Readonly<{
  /** Null: not known. */
  checks: readonly ReleaseCheckJson[] | null;
  effect: ReleaseEffectJson;
  /** What it publishes; null if it publishes nothing and so has no effect per app. */
  items: readonly ChangedItemJson[] | null;
}>) {
  return (
    <>
      {checks && <ChecksSection checks={checks} />}
      <EffectSection
        effect={effect}
        bytes={effect.bytes}
        pathOf={items && ((uuid) => pathOfChoice(items, false, uuid))}
        {...(items && { morePathOf: (from) => pathOfMoreApps(items, false, from) })}
      />
    </>
  );
}
