import { MessageSquare, TriangleAlert, type LucideIcon } from "lucide-react";
import { ChangeSign, changeSigns } from "@/app/_components/diff/change-sign";
import { RejectedCalls } from "@/app/_components/rights/rejected-calls";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import type { AreaJson, DecisionEffect, EffectJson } from "@/lib/apps/applications/console/effect-schema";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";
import { namesOf } from "@/lib/vocabulary/members";
import { areaNames, riskTitles, sensitiveKinds } from "@/lib/vocabulary/risk";

const standsOut = ({ area, kind }: AreaJson) => kind === "gained" && sensitiveKinds.has(area);

const maxParts = 3;

const isEmpty = ({ areas, asked, rejected }: EffectJson) => areas.length + asked.length + rejected.length === 0;

interface Part {
  readonly text: string;
  /** The same for a chip. */
  readonly short: string;
  /** For what is no gain or loss. */
  readonly icon?: LucideIcon;
  readonly tone: "bad" | "warn" | "plain";
}

/** The riskiest first. */
function listParts({ areas, asked, rejected }: EffectJson): readonly Part[] {
  const shown = areas.slice(0, maxParts).map((one): Part => {
    const { sign } = changeSigns[one.kind];
    const tone = one.kind === "lost" ? "bad" : standsOut(one) ? "warn" : "plain";
    return { text: `${sign} ${one.text}`, short: `${sign} ${one.short}`, tone };
  });
  const rest = areas.length - shown.length;
  const more = (text: string, look: Pick<Part, "tone" | "icon">): Part => ({ text, short: text, ...look });
  return [
    ...shown,
    ...(rest > 0 ? [more(plural(rest, "more area"), { tone: "plain" })] : []),
    ...(asked.length > 0 ? [more("consent prompt", { tone: "plain", icon: MessageSquare })] : []),
    ...(rejected.length > 0 ? [more("cars reject some calls", { tone: "warn", icon: TriangleAlert })] : []),
  ];
}

const nothingChanges = <span className="text-muted">No permissions change</span>;

/** Null: not computed. */
export function EffectChips({ effect }: Readonly<{ effect: EffectJson | null }>) {
  if (effect === null) return <span className="text-muted">—</span>;
  if (isEmpty(effect)) return nothingChanges;
  return (
    <span className="flex flex-wrap gap-1">
      {listParts(effect).map(({ text, short, ...look }) => (
        <Chip key={text} {...look}>
          {short}
        </Chip>
      ))}
    </span>
  );
}

/** "In staging: + location, + speed, consent prompt" */
export function DecisionEffectLine({ change: { environment, effect } }: Readonly<{ change: DecisionEffect }>) {
  if (isEmpty(effect)) return <p>{nothingChanges}</p>;
  return (
    <p>
      {environment === "staging" && "In staging: "}
      <span>
        {listParts(effect).map(({ text, tone }, at) => (
          <span key={text}>
            {at > 0 && ", "}
            <span className={cn(tone === "warn" && "font-medium text-warn")}>{text}</span>
          </span>
        ))}
      </span>
    </p>
  );
}

export function EffectAreas({ effect }: Readonly<{ effect: EffectJson }>) {
  if (isEmpty(effect)) return <p className="text-table text-muted">No permissions change.</p>;
  const { areas, asked, rejected } = effect;
  return (
    <div className="space-y-1 text-table">
      <ul className="space-y-1 empty:hidden">
        {areas.map((one) => (
          <li key={`${one.kind} ${one.area}`} className="flex gap-2">
            <ChangeSign kind={one.kind} className={cn(standsOut(one) && "bg-warn-soft text-warn")} />
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">{one.kind === "gained" ? "Gains " : "Loses "}</span>
              <span className="font-medium">{riskTitles[one.area]}</span>
              {one.text !== areaNames[one.area] && <span className="text-muted">: {one.text}</span>}
            </span>
          </li>
        ))}
        {asked.length > 0 && (
          <li className="flex gap-2">
            <MessageSquare aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">The driver is asked</span>
              <span className="text-muted">: {asked.map(({ prompt }) => prompt).join(", ")}</span>
            </span>
          </li>
        )}
      </ul>
      <RejectedCalls calls={rejected} className="space-y-1" />
    </div>
  );
}

/** "12 apps gain location, 3 remote control; 7 new consent prompts" */
export function sumEffects(effects: readonly EffectJson[]): string {
  const count = (kind: AreaJson["kind"]) => {
    const counts = new Map<string, number>();
    for (const area of namesOf(areaNames)) {
      const apps = effects.filter(({ areas }) => areas.some((one) => one.area === area && one.kind === kind)).length;
      if (apps > 0) counts.set(areaNames[area], apps);
    }
    return [...counts].map(([name, apps], at) => {
      const verb = kind === "gained" ? "gain" : "lose";
      return at === 0
        ? `${plural(apps, "app")} ${verb}${apps === 1 ? "s" : ""} ${name}`
        : `${formatNumber(apps)} ${name}`;
    });
  };
  const asked = effects.reduce((sum, one) => sum + one.asked.length, 0);
  const questions = asked === 0 ? [] : [plural(asked, "new consent prompt")];
  return [count("gained").join(", "), count("lost").join(", "), ...questions].filter(Boolean).join("; ");
}
