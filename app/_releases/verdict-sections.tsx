"use client";
import { CircleCheck } from "lucide-react";
import { type ReactNode, use } from "react";
import { Section } from "@/app/_components/ui/section";
import type { AppsEffect, ReleaseCheckJson, ReleaseEffectJson } from "@/lib/releases/answer-schema";
import { describeAppsEffect } from "@/lib/releases/describe-effect";
import type { ItemKey } from "@/lib/vocabulary/release-items";
import { CheckList } from "./check-list";
import { EffectApps, type EffectPaths, EffectSize } from "./effect-apps";
import { pathsOfRelease } from "./publication";

/** The checks (L6). */
export function ChecksSection({
  checks,
  actions,
  onInclude,
}: Readonly<{
  checks: readonly ReleaseCheckJson[] | null;
  actions?: ReactNode;
  onInclude?: (items: readonly ItemKey[]) => void;
}>) {
  return (
    <Section
      title="Checks"
      id="checks"
      description={checks?.length === 0 ? null : "For the selected changes, in production."}
      actions={actions}
      flush
    >
      {checks !== null && checks.length > 0 && <CheckList checks={checks} {...(onInclude && { onInclude })} />}
      {checks?.length === 0 && (
        <p className="flex items-center gap-2 px-4 py-2 text-table">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
          No problems found. Head units will accept this table.
        </p>
      )}
    </Section>
  );
}

/** The effect on apps in vehicles (L7). */
export function EffectSection({
  effect,
  bytes,
  isDone = false,
  children,
  ...paths
}: Readonly<
  EffectPaths & {
    effect: AppsEffect;
    /** The effect of a published release, told in the past tense. */
    isDone?: boolean;
    /** Undefined: don't show the size of the table. */
    bytes?: ReleaseEffectJson["bytes"];
    children?: ReactNode;
  }
>) {
  return (
    <Section title="Effect" id="effect" description={describeAppsEffect(effect, isDone)} flush>
      <EffectApps effect={effect} {...paths} />
      {bytes && (
        <div className="border-t border-line px-4 py-2 first:border-t-0 empty:hidden">
          <EffectSize bytes={bytes} />
        </div>
      )}
      {children}
    </Section>
  );
}

/** The effect of a release on today's apps (L7). Streams in later, because it reads the old production again. */
export function ReleaseEffect({ number, effect }: Readonly<{ number: number; effect: Promise<AppsEffect> }>) {
  return <EffectSection effect={use(effect)} isDone {...pathsOfRelease(number, "release")} />;
}
