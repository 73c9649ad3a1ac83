"use client";
import { Link } from "@/app/_components/ui/link";
import { usePathname } from "next/navigation";
import { cn } from "@/app/_components/ui/cn";
import { useCounters } from "@/app/_components/shell/navigation/counters";
import { type Badge, consoleSections, isWithin } from "@/app/_components/shell/navigation/sections";
import { Tooltip } from "@/app/_components/ui/tooltip";

const stay = () => undefined;

export function SideNavigation({ version, onLeave = stay }: Readonly<{ version: string; onLeave?: () => void }>) {
  const pathname = usePathname();
  const counters = useCounters();
  return (
    <nav aria-label="Sections" className="flex h-full flex-col gap-4 overflow-y-auto p-2">
      <ul className="space-y-0.5">
        {consoleSections.map((section) => {
          const isCurrent = isWithin(pathname, section);
          const badges = counters === null ? [] : section.badges(counters);
          return (
            <li
              key={section.href}
              className={cn(
                "group relative flex items-center rounded-control pr-1.5",
                isCurrent ? "bg-active" : "hover:bg-hover",
              )}
            >
              <Link
                href={section.href}
                aria-current={isCurrent ? "page" : undefined}
                onClick={onLeave}
                className={cn(
                  "flex h-8 min-w-0 grow items-center gap-2.5 rounded-control px-2 no-underline -outline-offset-2 pointer-coarse:h-11",
                  isCurrent ? "font-medium text-text" : "text-muted group-hover:text-text",
                )}
              >
                <section.icon aria-hidden="true" className="size-4 shrink-0" />
                <span className="truncate">{section.label}</span>
              </Link>
              {badges.map((badge) => (
                <BadgeLink key={badge.href} badge={badge} onLeave={onLeave} />
              ))}
            </li>
          );
        })}
      </ul>
      <p className="mt-auto flex items-center justify-between gap-2 px-2 pb-1 text-xs text-muted">
        <Link href="/docs" className="inline-flex min-h-6 items-center text-muted hover:text-text" onClick={onLeave}>
          API description
        </Link>
        <span>v{version}</span>
      </p>
    </nav>
  );
}

function BadgeLink({ badge, onLeave }: Readonly<{ badge: Badge; onLeave: () => void }>) {
  const { count, words, href, tone } = badge;
  return (
    <Tooltip text={words} side="right">
      <Link
        href={href}
        aria-label={words}
        onClick={onLeave}
        className="grid h-6 min-w-6 shrink-0 place-items-center no-underline pointer-coarse:h-11 pointer-coarse:min-w-9"
      >
        {count === null ? (
          <span className="size-2 rounded-full bg-warn" />
        ) : (
          <span
            className={cn(
              "rounded-full border px-1.5 text-2xs leading-4 font-semibold tabular-nums",
              tone === "warn" ? "border-warn-line bg-warn-soft text-warn" : "border-bad-line bg-bad-soft text-bad",
            )}
          >
            {count > 999 ? "999+" : count}
          </span>
        )}
      </Link>
    </Tooltip>
  );
}
