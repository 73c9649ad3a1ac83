import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "@/app/_components/ui/section";
import type { ReleaseCheckJson, ReleaseEffectJson } from "@/lib/content/releases/answer-schema";
import type { ItemKey } from "@/lib/labels/release-items";
import { formatNumber, plural } from "@/lib/labels/format-number";
import { CheckList } from "./check-list";
import { type AppsEffect, EffectApps, type EffectPaths, EffectSize } from "./effect-apps";

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
      description={checks?.length === 0 ? null : "For the selected items in production."}
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
    <Section title="Effect" id="effect" description={describeEffect(effect, isDone)} flush>
      <EffectApps effect={effect} {...paths} />
      {bytes && (
        <div className="border-t border-line px-4 py-2 first:border-t-0">
          <EffectSize bytes={bytes} />
        </div>
      )}
      {children}
    </Section>
  );
}

/** "12 apps in production change. 3 lose permissions, 10 gain permissions, drivers are newly asked about 2." */
export function describeEffect(effect: AppsEffect, isDone = false): string {
  const { apps_changed: changed, apps_losing: losing, apps_gaining: gaining, apps_asked: asked } = effect;
  const others = effect.default_changed ? "every app without an entry of its own" : null;
  if (changed === 0) {
    if (others === null) return `No app in production ${isDone ? "changed" : "changes"}.`;
    return `No app with an entry of its own ${isDone ? "changed" : "changes"}, but ${others}.`;
  }
  const act = (count: number, one: string, many: string, done: string) =>
    plural(count, isDone ? done : one, isDone ? done : many);
  const told = [
    ...(losing > 0 ? [`${act(losing, "loses", "lose", "lost")} permissions`] : []),
    ...(gaining > 0 ? [`${act(gaining, "gains", "gain", "gained")} permissions`] : []),
    ...(asked > 0 ? [`new questions to drivers about ${formatNumber(asked)}`] : []),
  ].join(", ");
  const change = isDone ? "changed" : changed === 1 ? "changes" : "change";
  const rest = told === "" ? (isDone ? "No permissions changed" : "No permissions change") : told;
  const which =
    others === null ? "in production" : `with ${changed === 1 ? "an entry of its" : "entries of their"} own`;
  return `${plural(changed, "app")} ${which} ${change}${others === null ? "" : `, and so ${isDone ? "did" : "does"} ${others}`}. ${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}.`;
}
