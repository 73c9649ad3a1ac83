"use client";
import { ChecksSection, EffectSection } from "@/app/_releases/verdict-sections";
import { pathOfChoice } from "@/app/_releases/publication";
import type { ChangedItemJson, ReleaseCheckJson, ReleaseEffectJson } from "@/lib/content/releases/answer-schema";

/** Checks and effect of a request. */
export function RequestVerdict({
  checks,
  effect,
  items,
}: Readonly<{
  checks: readonly ReleaseCheckJson[];
  effect: ReleaseEffectJson;
  /** What is published; null: it is no publication, and what becomes of one app is not told. */
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
